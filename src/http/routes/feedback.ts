/** POST /v1/feedback: one record per assessment, the newest wins. */
import type { FastifyInstance } from 'fastify';
import type { FeedbackRequest } from '../../contract/messages.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { Problem } from '../../contract/problem.ts';
import { serializeFeedback } from '../../contract/serialize.ts';
import type { AssessmentStore } from '../../store/store.ts';
import { operation } from '../operation.ts';
import { readerOf, UNKNOWN_ASSESSMENT } from './assess.ts';

export interface FeedbackRouteOptions {
  readonly store: Pick<AssessmentStore, 'findBody' | 'saveFeedback'>;
}

export function feedbackRoute(app: FastifyInstance, { store }: FeedbackRouteOptions): void {
  operation<FeedbackRequest>(app, OPERATIONS.submitFeedback, {
    async handle({ caller, at, body: { request_id: requestId, outcome, note } }) {
      if ((await store.findBody(requestId, readerOf(caller))) === undefined) {
        throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
      }
      await store.saveFeedback({ requestId, outcome, note: note ?? null, keyId: caller.key.id, at });
      return serializeFeedback({ accepted: true, message: 'Feedback recorded.' });
    },
  });
}
