/** The port for texts fetched from elsewhere, which are kept across restarts. */
import type { TextCache } from '../model/text-cache.ts';

/** Limits of what the cache keeps. */
export interface CacheLimits {
  /** Milliseconds since the epoch: entries that expired earlier are removed. */
  readonly expiredBefore: number;
  /** Beyond either limit, the entries that expire first are removed. */
  readonly maxEntries: number;
  /** Max. bytes of names and texts. */
  readonly maxBytes: number;
}

export interface PruneResult {
  readonly pruned: number;
  /** Number of entries in the cache before pruning. */
  readonly entries: number;
  readonly bytes: number;
}

export interface CacheStore extends TextCache {
  /**
   * Removes at most `maxPruned` entries beyond the limits, those that expire first, in one short transaction. Removes
   * none while another node prunes.
   */
  prune(limits: CacheLimits, maxPruned: number): Promise<PruneResult>;
}
