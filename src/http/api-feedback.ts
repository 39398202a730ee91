/** POST /v1/feedback: one record per assessment, the newest wins. */
import type { FeedbackRequest } from '../contract/messages.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { Problem } from '../contract/problem.ts';
import { serializeFeedback } from '../contract/serialize.ts';
import type { AssessmentStore } from '../store/store.ts';
import { readerOf, UNKNOWN_ASSESSMENT } from './api-assess.ts';
import type { Operations } from './operation.ts';

export interface FeedbackRouteOptions {
  readonly store: Pick<AssessmentStore, 'findBody' | 'saveFeedback'>;
}

export function feedbackRoute(operations: Operations, { store }: FeedbackRouteOptions): void {
  operations.register<FeedbackRequest>(OPERATIONS.submitFeedback, async (context, read) => {
    const { request_id: requestId, outcome, note } = await read();
    const { caller, at } = context;
    if ((await store.findBody(requestId, readerOf(caller))) === undefined) {
      throw new Problem('missing_field', 'request_id', UNKNOWN_ASSESSMENT);
    }
    await store.saveFeedback({ requestId, outcome, note: note ?? null, keyId: caller.key.id, at });
    return serializeFeedback({ accepted: true, message: 'Feedback recorded.' });
  });
}
