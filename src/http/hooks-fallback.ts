/** Decides the answer to a hook that gets no verdict: what lists in memory say costs nothing, the hook's settings say the rest. */
import type { Logger } from 'pino';
import type { HookCaller } from '../accounts/directory.ts';
import { agreedIp } from '../address/reported-ip.ts';
import { Problem } from '../contract/problem.ts';
import type { SignupAttempt } from '../model/signup-attempt.ts';
import type { JudgeFromMemory } from '../signup/judge-from-memory.ts';
import { readSignupAttempt } from '../signup/prepare-signup.ts';
import { callerOfHook } from '../signup/signup-caller.ts';
import { answerOf, type HookOutcome, type HookResult } from './hooks-decide.ts';
import type { HookSignup } from './hooks-provider.ts';

/** Reason why there is no verdict. */
export type MissingVerdict = Extract<
  HookOutcome,
  'quota_exceeded' | 'rate_limit' | 'late' | 'shed' | 'failed'
>;

export interface HookFallbackOptions {
  readonly judgeFromMemory: JudgeFromMemory;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Milliseconds that only grow. */
  readonly steadyClock: () => number;
}

export interface HookWithoutVerdict {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly caller: HookCaller;
  /** `undefined` where the request could not be verified or read. */
  readonly signup: HookSignup | undefined;
  readonly missing: MissingVerdict;
  readonly error?: unknown;
}

/** Never rejects. */
export type DecideFallback = (request: HookWithoutVerdict) => Promise<HookResult>;

/**
 * A flood, or signups until the quota is spent, would otherwise open the door to listed addresses: who sends them also
 * chooses when. A malformed address is denied for the same reason.
 */
export function createDecideFallback({
  judgeFromMemory,
  log,
  steadyClock,
}: HookFallbackOptions): DecideFallback {
  const report = createReport(log, steadyClock);

  async function judgeKnown({ caller, signup, at }: HookWithoutVerdict) {
    if (signup === undefined) return undefined;
    return judgeFromMemory(callerOfHook(caller), toAttempt(signup), at);
  }

  return async (request) => {
    const { caller, missing } = request;
    const { hook } = caller;
    report(request);
    try {
      const judged = await judgeKnown(request);
      if (judged !== undefined && answerOf(judged.verdict, judged.isMailUnwanted, hook) === 'deny')
        return { decision: { answer: 'deny' }, outcome: 'denied_by_lists' };
      // An own entry decides alone: more evidence would not change it.
      if (judged !== undefined && judged.list !== null)
        return { decision: { answer: 'allow' }, outcome: 'allowed_by_lists' };
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_email')
        return { decision: { answer: 'deny' }, outcome: 'denied' };
      log.error({ request_id: request.requestId, err: error }, 'a signup could not be judged by lists alone');
    }
    return { decision: { answer: hook.onError }, outcome: missing };
  };
}

/** Better judged without an IP that cannot be read than not at all. @throws Problem `invalid_email` */
function toAttempt({ email, ip: reported = '', broughtBy }: HookSignup): SignupAttempt {
  const request = { email, brought_by: broughtBy ?? null };
  try {
    return readSignupAttempt({ ...request, ip: agreedIp(reported)?.text ?? reported });
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_ip') return readSignupAttempt(request);
    throw error;
  }
}

const REPORT_MS = 600_000;
/** Max. hooks and reasons that are remembered; more are reported as they come. */
const MAX_REPORTED = 10_000;

const WORDS: Readonly<Record<MissingVerdict, string>> = {
  quota_exceeded: 'the month of its account is used up',
  rate_limit: 'the rate limit of its account is used up',
  late: 'it took too long',
  shed: 'the service is overloaded',
  failed: 'it failed',
};

/** One line for each hook and reason at once, then at most one in ten minutes, with how many there were. */
function createReport(log: Pick<Logger, 'warn' | 'error'>, steadyClock: () => number) {
  const reported = new Map<string, { since: number; answers: number }>();
  return ({ requestId, caller: { hook, account }, missing, error: err }: HookWithoutVerdict): void => {
    const now = steadyClock();
    const name = `${hook.id} ${missing} ${(err as Error | undefined)?.message ?? ''}`;
    const known = reported.get(name) ?? { since: Number.NEGATIVE_INFINITY, answers: 0 };
    known.answers += 1;
    if (now - known.since < REPORT_MS) return;
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.set(name, { since: now, answers: 0 });
    const about = { request_id: requestId, hook: hook.id, provider: hook.provider, account: account.id };
    const text = `a hook was answered without a verdict: ${WORDS[missing]}; only lists decide, the rest is answered as --on-error says (${hook.onError}); see docs/hooks.md`;
    const fields = { ...about, answers: known.answers };
    if (missing === 'failed') log.error({ ...fields, err }, text);
    else log.warn(fields, text);
  };
}
