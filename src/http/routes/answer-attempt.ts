/** Answers one attempt: charged where it is live, with the headers that tell where the caller stands. */
import type { Quota } from '../../accounts/quota.ts';
import { weighingOf } from '../../assess/account-policy.ts';
import type { Asker, Assess } from '../../assess/assess.ts';
import { readAttempt } from '../../assess/attempt.ts';
import type { AssessmentRequest } from '../../contract/messages.ts';
import { Problem } from '../../contract/problem.ts';
import type { Meter, Metered } from '../meter.ts';

/** A request to assess, however it came. */
export interface Attempting extends Metered {
  /** Id of the assessment it may make. */
  readonly id: string;
  /** `performance.now()` when it came in. */
  readonly started: number;
  /** Set to what was answered. */
  verdict: string;
}

export interface AnswerAttemptOptions {
  readonly assess: Assess;
  readonly quota: Quota;
  readonly meter: Meter;
}

/** The text of the assessment. @throws Problem, with the headers already set on the answer */
export type AnswerAttempt = (attempting: Attempting, message: AssessmentRequest) => Promise<string>;

export function createAnswerAttempt({ assess, quota, meter }: AnswerAttemptOptions): AnswerAttempt {
  return async (attempting, message) => {
    const { caller, at } = attempting;
    const live = caller.key.mode === 'live';
    const attempt = readAttempt(message);
    try {
      if (live) {
        const known = quota.used(caller, at);
        quota.check(caller, known instanceof Promise ? await known : known);
      }
      const moment = { requestId: attempting.id, at, started: attempting.started };
      const { body, verdict, used } = await assess(toAsker(caller), attempt, moment);
      if (live) quota.learn(caller, at, used);
      attempting.verdict = verdict;
      const showing = meter.show(attempting, live ? used : undefined);
      if (showing !== undefined) await showing;
      return body;
    } catch (error) {
      if (error instanceof Problem && error.code === 'quota_exceeded') {
        await meter.show(attempting);
        attempting.header('Retry-After', quota.secondsToReset(at));
      }
      throw error;
    }
  };
}

function toAsker({ account, key, limits, thresholds, policy }: Metered['caller']): Asker {
  return {
    accountId: account.id,
    keyId: key.id,
    mode: key.mode,
    thresholds,
    policy: weighingOf(policy),
    cap: limits.cap,
  };
}
