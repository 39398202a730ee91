/** The port for idempotency keys: which requests were carried out, so that a repeated one has no second effect. */
import type { IdempotencyClaim } from '../model/idempotency-claim.ts';

/** Time that a key is remembered. */
export const KEY_LIFETIME_MS = 86_400_000;
/** A node that has not finished a request after this time is taken for dead: another node may carry it out. */
export const LEASE_MS = 5_000;

export type ClaimResult =
  /** The claimant is to carry out the request, and to pass its claim on to the write. */
  | { readonly outcome: 'claimed' }
  /** Another node is carrying it out; try again soon. */
  | { readonly outcome: 'busy' }
  /** The key was used with another body. */
  | { readonly outcome: 'conflict' }
  /** It was carried out by `requestId`. `answer`: the stored answer; `null` if it is the body of the assessment. */
  | { readonly outcome: 'stored'; readonly requestId: string; readonly answer: string | null };

/** A claim with its answer. */
export interface AnsweredClaim {
  readonly claim: IdempotencyClaim;
  readonly answer: string;
}

/** `repeated`: the key was used with the same body. `conflict`: with another one. */
export type UseResult = 'claimed' | 'repeated' | 'conflict';

/**
 * A write that has a claim stores the key's record in its own transaction, so one is there exactly when the other is.
 * Within one process, only one request of a key may have a claim at a time; between nodes the store decides.
 */
export interface IdempotencyStore {
  /** Claims a key. After `stored`, the assessment stays, even if its first caller got an error. */
  claimKey(claim: IdempotencyClaim): Promise<ClaimResult>;
  /** Uses a key up at once, for every node, and also if this process ends before its request. `forgetKey` frees it. */
  useKey(claim: IdempotencyClaim): Promise<UseResult>;
  /** Lets another request carry out the key: the one that claimed it failed. Nothing happens if its write succeeded. */
  releaseKey(requestId: string): Promise<void>;
  /** Removes the record of a request: its assessment is gone, or it used nothing up. */
  forgetKey(requestId: string): Promise<void>;
  /** Removes at most `maxPruned` records that were made before `before`. @returns how many */
  pruneKeys(before: number, maxPruned: number): Promise<number>;
}
