/** Turns messages into body text, compiled from their schemas once. The answer of an assessment has its own writer, `assess/answer-body.ts`. */
import { requirePackage } from '../common-js.ts';
import { ChallengeResponse, FeedbackResponse, Usage } from './messages.ts';

const { build: buildSerializer } = requirePackage(
  'fast-json-stringify',
) as typeof import('fast-json-stringify');

export const serializeFeedback: (message: FeedbackResponse) => string = buildSerializer(
  FeedbackResponse as object,
);
export const serializeUsage: (message: Usage) => string = buildSerializer(Usage as object);
export const serializeChallenge: (message: ChallengeResponse) => string = buildSerializer(
  ChallengeResponse as object,
);
