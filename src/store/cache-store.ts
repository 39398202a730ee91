/** The port for texts fetched from elsewhere, which are kept across restarts. */

/** A text fetched from elsewhere. */
export interface CacheEntry {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** How much the cache may keep. */
export interface CacheLimits {
  /** Milliseconds since the epoch: entries that expired earlier are removed. */
  readonly expiredBefore: number;
  /** Beyond either limit, the entries that expire first are removed. */
  readonly maxEntries: number;
  /** Of names and texts. */
  readonly maxBytes: number;
}

export interface PruneResult {
  readonly pruned: number;
  /** In the cache before pruning. */
  readonly entries: number;
  readonly bytes: number;
}

/** Texts fetched from elsewhere, kept across restarts. Losing one costs another fetch, nothing more. */
export interface CacheStore {
  /** Whether other processes write entries too. */
  readonly isShared: boolean;
  /**
   * Returns expired entries too. Never rejects: an entry that cannot be read soon is `undefined`. Includes entries that wait to be
   * written.
   */
  get(name: string): Promise<CacheEntry | undefined>;
  /** As it is stored, without a deadline and without what waits to be written. Rejects when it cannot be read. */
  read(name: string): Promise<CacheEntry | undefined>;
  /** Does not wait for the write; a failed write is reported and the entry is lost. */
  set(name: string, text: string, expiresAt: number): void;
  /**
   * Removes at most `maxPruned` entries beyond the limits, those that expire first, in one short transaction. Removes
   * none while another node prunes.
   */
  prune(limits: CacheLimits, maxPruned: number): Promise<PruneResult>;
}
