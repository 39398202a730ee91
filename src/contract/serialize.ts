/** Turns messages into body text, compiled from their schemas once. */
import buildSerializer from 'fast-json-stringify';
import { Assessment, ChallengeResponse, FeedbackResponse, Usage } from './messages.ts';

export const serializeAssessment: (message: Assessment) => string = buildSerializer(Assessment as object);
export const serializeFeedback: (message: FeedbackResponse) => string = buildSerializer(
  FeedbackResponse as object,
);
export const serializeUsage: (message: Usage) => string = buildSerializer(Usage as object);
export const serializeChallenge: (message: ChallengeResponse) => string = buildSerializer(
  ChallengeResponse as object,
);
