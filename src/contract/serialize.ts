/** Turns messages into body text, compiled from their schemas once. The answer of an assessment has its own writer, `assess/answer-body.ts`. */
import buildSerializer from 'fast-json-stringify';
import { ChallengeResponse, FeedbackResponse, Usage } from './messages.ts';

export const serializeFeedback: (message: FeedbackResponse) => string = buildSerializer(
  FeedbackResponse as object,
);
export const serializeUsage: (message: Usage) => string = buildSerializer(Usage as object);
export const serializeChallenge: (message: ChallengeResponse) => string = buildSerializer(
  ChallengeResponse as object,
);
