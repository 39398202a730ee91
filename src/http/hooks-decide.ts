/** Decides the answer to a verified hook: the verdict on its signup, or what its settings say if there is none. */
import type { HookCaller } from '../accounts/directory.ts';
import { agreedIp } from '../address/reported-ip.ts';
import type { Assessment, AssessmentRequest, Verdict } from '../contract/messages.ts';
import { Problem } from '../contract/problem.ts';
import type { Hook, HookAnswer, HookProvider } from '../model/hook.ts';
import type { AssessSignup } from '../signup/assess-signup.ts';
import { callerOfHook } from '../signup/signup-caller.ts';
import type { RequestContext } from './core/request-context.ts';
import type { HookDecision, HookDelivery } from './hooks-provider.ts';
import { HOOK_CONTRACTS } from './hooks-providers.ts';
import { momentOf } from './signup-headers.ts';

/**
 * Outcome of a request, for the metric. `…_by_lists`: without a verdict, by lists alone. The last five are answered as
 * the hook's `onError` says.
 */
export type HookOutcome =
  | 'allowed'
  | 'denied'
  | 'allowed_by_lists'
  | 'denied_by_lists'
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
  readonly assessSignup: AssessSignup;
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

export function createDecideHook({ assessSignup, fingerprint }: DecideHookOptions): DecideHook {
  /** Key that is equal for each repetition: one assessment, one credit. Another address is another signup, even with the same delivery id. */
  function idempotencyKeyOf(hook: Hook, { deliveryId, signup }: HookDelivery, context: RequestContext) {
    const window = Math.floor(context.at / REPETITION_MS);
    const delivery = deliveryId ?? `${window} ${fingerprint(context.rawBody.toString('base64'))}`;
    return `hook-${fingerprint(JSON.stringify([hook.id, delivery, signup?.email, signup?.ip]))}`;
  }

  async function assess(
    context: RequestContext,
    caller: HookCaller,
    delivery: HookDelivery,
    message: AssessmentRequest,
  ): Promise<Assessment> {
    const { body, verdict } = await assessSignup({
      caller: callerOfHook(caller),
      message,
      idempotencyKey: idempotencyKeyOf(caller.hook, delivery, context),
      moment: momentOf(context),
    });
    context.verdict = verdict;
    return JSON.parse(body) as Assessment;
  }

  return async (context, caller, delivery) => {
    if (delivery.signup === null) return { decision: { answer: 'allow' }, outcome: 'not_assessed' };
    const { email, ip: reported = '', broughtBy, userId } = delivery.signup;
    const ip = agreedIp(reported)?.text ?? reported;
    const message = {
      email,
      ...(broughtBy && { brought_by: broughtBy }),
      ...(userId && { session_id: userId }),
    };
    const assessment = await assess(context, caller, delivery, { ...message, ...(ip && { ip }) }).catch(
      (error) => {
        // Better judged without the IP than not at all.
        if (error instanceof Problem && error.code === 'invalid_ip')
          return assess(context, caller, delivery, message);
        throw error;
      },
    );
    return resultOf(assessment, caller.hook);
  };
}

/** The answer that a verdict has. A provider that sends the mail itself sends none to a person who is denied. */
export function answerOf(
  verdict: Verdict,
  isMailUnwanted: boolean,
  { provider, challengeAs }: Hook,
): HookAnswer {
  if (isMailUnwanted && HOOK_CONTRACTS[provider as HookProvider].hasMailed !== true) return 'deny';
  if (verdict === 'challenge') return challengeAs;
  return verdict === 'block' ? 'deny' : 'allow';
}

function resultOf(assessment: Assessment, hook: Hook): HookResult {
  const { verdict, request_id: requestId, score, reasons, signals } = assessment;
  const answer = answerOf(verdict, signals.email.mail_unwanted === true, hook);
  const isMarked = verdict === 'challenge' && answer === 'allow';
  const challenge = isMarked ? { requestId, score, reasons: reasons.map(({ code }) => code) } : undefined;
  return { decision: { answer, challenge }, outcome: answer === 'allow' ? 'allowed' : 'denied' };
}
