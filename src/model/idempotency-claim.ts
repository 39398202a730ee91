/** A request that claims an idempotency key, and the hash that later requests are compared with. */
import type { KeyMode } from './key-mode.ts';

/** The first four members together name a key: live and sandbox requests, and operations, have keys of their own. */
export interface IdempotencyClaim {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Id of the operation. */
  readonly operation: string;
  /** Keyed hash of the header: people put addresses into it. */
  readonly keyHash: string;
  /** Keyed hash of the members of the body that have an effect. */
  readonly bodyDigest: string;
  /** Id of the request that makes the claim; an assessment has the same id. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
