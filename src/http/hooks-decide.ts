/** Decides the answer to a verified hook: the verdict on its signup, or what its settings say if there is none. */
import type { HookCaller } from '../accounts/directory.ts';
import { agreedIp } from '../address/reported-ip.ts';
import type { Assessment, AssessmentRequest } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { Hook } from '../model/hook.ts';
import type { AnswerSignup, SignupRequest } from './answer-signup.ts';
import type { HookDecision, HookDelivery } from './hooks-provider.ts';
import type { RequestContext } from './request-context.ts';

/** How a request ended, for the metric. The last five are answered as the hook's `onError` says. */
export type HookOutcome =
  | 'allowed'
  | 'denied'
  | 'not_assessed'
  | 'unverified'
  | 'quota_exceeded'
  | 'rate_limit'
  | 'late'
  | 'shed'
  | 'failed';

export interface HookResult {
  readonly decision: HookDecision;
  readonly outcome: HookOutcome;
}

export interface DecideHookOptions {
  readonly answerSignup: AnswerSignup;
  /** Keyed hash of a text. */
  readonly fingerprint: (text: string) => string;
}

/** A provider repeats a request within seconds. The same request may come later, when a person tries again. */
const REPETITION_MS = 120_000;

/** @throws Problem, or any other error, where there is no verdict */
export type DecideHook = (
  context: RequestContext,
  caller: HookCaller,
  delivery: HookDelivery,
) => Promise<HookResult>;

export function createDecideHook({ answerSignup, fingerprint }: DecideHookOptions): DecideHook {
  /** The same for each repetition: one assessment, one credit. Another address is another signup, even with the same delivery id. */
  function idempotencyKeyOf(hook: Hook, { deliveryId, signup }: HookDelivery, context: RequestContext) {
    const window = Math.floor(context.at / REPETITION_MS);
    const delivery = deliveryId ?? `${window} ${fingerprint(context.rawBody.toString('base64'))}`;
    return `hook-${fingerprint(JSON.stringify([hook.id, delivery, signup?.email, signup?.ip]))}`;
  }

  async function assess(
    context: RequestContext,
    { hook, ...caller }: HookCaller,
    delivery: HookDelivery,
    message: AssessmentRequest,
  ): Promise<Assessment> {
    const signup: SignupRequest = {
      id: context.id,
      at: context.at,
      started: context.started,
      verdict: '',
      idempotencyKey: idempotencyKeyOf(hook, delivery, context),
      caller: { ...caller, key: { id: hook.id, mode: hook.mode, shadow: false } },
      // Nobody reads the headers about rate and quota.
      header: () => {},
    };
    const text = await answerSignup(signup, message);
    context.verdict = signup.verdict;
    return JSON.parse(text) as Assessment;
  }

  return async (context, caller, delivery) => {
    if (delivery.signup === null) return { decision: { answer: 'allow' }, outcome: 'not_assessed' };
    const { email, ip: reported = '' } = delivery.signup;
    const ip = agreedIp(reported)?.text ?? reported;
    const assessment = await assess(context, caller, delivery, { email, ...(ip && { ip }) }).catch(
      (error) => {
        // Better judged without the IP than not at all.
        if (error instanceof Problem && error.code === 'invalid_ip')
          return assess(context, caller, delivery, { email });
        throw error;
      },
    );
    return resultOf(assessment, caller.hook);
  };
}

/**
 * The answer when there is no verdict. A malformed address is always denied, independent of the settings:
 * otherwise an attacker could choose such an address to get past.
 */
export function resultWithout(error: unknown, { onError }: Hook): HookResult {
  const code = error instanceof Problem ? error.code : undefined;
  if (code === 'invalid_email') return { decision: { answer: 'deny' }, outcome: 'denied' };
  const outcome = code === 'quota_exceeded' || code === 'rate_limit' ? code : 'failed';
  return { decision: { answer: onError }, outcome };
}

function resultOf({ verdict, request_id: requestId, score, reasons }: Assessment, hook: Hook): HookResult {
  const answer = verdict === 'challenge' ? hook.challengeAs : verdict === 'block' ? 'deny' : 'allow';
  const isMarked = verdict === 'challenge' && answer === 'allow';
  const challenge = isMarked ? { requestId, score, reasons: reasons.map(({ code }) => code) } : undefined;
  return { decision: { answer, challenge }, outcome: answer === 'allow' ? 'allowed' : 'denied' };
}
