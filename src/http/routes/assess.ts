/** POST /v1/assess and GET /v1/assess/{request_id}. */
import type { Caller } from '../../accounts/directory.ts';
import type { Quota } from '../../accounts/quota.ts';
import { weighingOf } from '../../assess/account-policy.ts';
import type { Asker, Assess } from '../../assess/assess.ts';
import { readAttempt } from '../../assess/attempt.ts';
import type { AssessmentRequest } from '../../contract/messages.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { Problem } from '../../contract/problem.ts';
import type { AssessmentStore } from '../../store/store.ts';
import type { Meter } from '../meter.ts';
import type { Operations } from '../operation.ts';

export interface AssessRoutesOptions {
  readonly assess: Assess;
  readonly store: Pick<AssessmentStore, 'findBody'>;
  readonly quota: Quota;
  readonly meter: Meter;
}

/** What an assessment that this caller may not see is answered with, in every operation. */
export const UNKNOWN_ASSESSMENT = {
  message: 'No assessment has this request_id.',
  resolution: 'Send the request_id of an assessment that this key may read.',
};

export function assessRoutes(operations: Operations, options: AssessRoutesOptions): void {
  const { assess, store, quota, meter } = options;

  operations.register<AssessmentRequest>(OPERATIONS.assessSignup, {
    admit: meter.admit,
    async handle(exchange, message) {
      const { caller, at } = exchange;
      const live = caller.key.mode === 'live';
      const attempt = readAttempt(message);
      try {
        if (live) {
          const known = quota.used(caller, at);
          quota.check(caller, known instanceof Promise ? await known : known);
        }
        const moment = { requestId: exchange.id, at, started: exchange.started };
        const { body, verdict, used } = await assess(toAsker(caller), attempt, moment);
        if (live) quota.learn(caller, at, used);
        exchange.verdict = verdict;
        const showing = meter.show(exchange, live ? used : undefined);
        if (showing !== undefined) await showing;
        return body;
      } catch (error) {
        if (error instanceof Problem && error.code === 'quota_exceeded') {
          await meter.show(exchange);
          exchange.header('Retry-After', quota.secondsToReset(at));
        }
        throw error;
      }
    },
  });

  operations.register(OPERATIONS.getAssessment, {
    async handle(exchange) {
      const body = await store.findBody(exchange.param, readerOf(exchange.caller));
      if (body === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
      await meter.show(exchange);
      return body;
    },
  });
}

/** A live key reads all assessments of its account; a sandbox key only sandbox ones. */
export function readerOf({ account, key }: Caller) {
  return { accountId: account.id, mode: key.mode };
}

export function toAsker({ account, key, limits, thresholds, policy }: Caller): Asker {
  const given = { accountId: account.id, keyId: key.id, mode: key.mode, thresholds, cap: limits.cap };
  return { ...given, policy: weighingOf(policy) };
}
