/** Decides whether a request has an idempotency key, and whether the key is valid. */
import { Problem } from '../contract/problem.ts';
import type { RateLimitContext } from './rate-limit.ts';

/** A request that may have an idempotency key. */
export interface IdempotentRequest extends RateLimitContext {
  /** Id of the request, and of the assessment it may make. */
  readonly id: string;
  /** As the header has it; `undefined` where the request may be carried out as often as it comes. */
  readonly idempotencyKey: string | undefined;
}

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
const VALID_KEY = /^[!-~]{1,255}$/;

const MALFORMED = {
  message: 'The header `Idempotency-Key` is malformed.',
  resolution: 'Send 1 to 255 visible ASCII characters without spaces, or leave the header out.',
};

/** The Problem of a key that is not valid; none where there is no key. */
export function checkIdempotencyKey({ idempotencyKey }: IdempotentRequest): Problem | undefined {
  if (idempotencyKey === undefined || VALID_KEY.test(idempotencyKey)) return undefined;
  return new Problem('missing_field', IDEMPOTENCY_HEADER, MALFORMED);
}
