/** POST /v1/assess and GET /v1/assess/{request_id}. */
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../accounts/directory.ts';
import type { Quota } from '../../accounts/quota.ts';
import type { Asker, Assess } from '../../assess/assess.ts';
import { readAttempt } from '../../assess/attempt.ts';
import type { AssessmentRequest } from '../../contract/messages.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { Problem } from '../../contract/problem.ts';
import type { AssessmentStore } from '../../store/store.ts';
import type { Meter } from '../meter.ts';
import { operation } from '../operation.ts';

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

export function assessRoutes(app: FastifyInstance, options: AssessRoutesOptions): void {
  const { assess, store, quota, meter } = options;

  operation<AssessmentRequest>(app, OPERATIONS.assessSignup, {
    admit: ({ caller, at }, reply) => meter.admit(caller, at, reply),
    async handle(request, reply) {
      const { caller, at, started, id } = request;
      const attempt = readAttempt(request.body);
      try {
        if (caller.key.mode === 'live') {
          const known = quota.used(caller, at);
          quota.check(caller, known instanceof Promise ? await known : known);
        }
        const { body, verdict, used } = await assess(toAsker(caller), attempt, {
          requestId: id,
          at,
          started,
        });
        if (caller.key.mode === 'live') quota.learn(caller, at, used);
        request.verdict = verdict;
        const showing = meter.show(caller, at, reply, caller.key.mode === 'live' ? used : undefined);
        if (showing !== undefined) await showing;
        return body;
      } catch (error) {
        if (error instanceof Problem && error.code === 'quota_exceeded') {
          await meter.show(caller, at, reply);
          reply.header('Retry-After', quota.secondsToReset(at));
        }
        throw error;
      }
    },
  });

  operation<undefined, { request_id: string }>(app, OPERATIONS.getAssessment, {
    async handle({ caller, at, params }, reply) {
      const body = await store.findBody(params.request_id, readerOf(caller));
      if (body === undefined) throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
      await meter.show(caller, at, reply);
      return body;
    },
  });
}

/** A live key reads all assessments of its account; a sandbox key only sandbox ones. */
export function readerOf({ account, key }: Caller) {
  return { accountId: account.id, mode: key.mode };
}

function toAsker({ account, key, limits, thresholds }: Caller): Asker {
  return { accountId: account.id, keyId: key.id, mode: key.mode, thresholds, cap: limits.cap };
}
