/** The state of one feed, as operators see it. */

/** `stale`: not confirmed for three of its turns. `off`: not enabled. */
export type FeedCondition = 'ok' | 'stale' | 'refused' | 'failed' | 'never' | 'off';

/** An update that the gate rejected. */
export interface FeedRefusal {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly why: string;
  readonly version: string;
}

/** Times are milliseconds since the epoch. */
export interface FeedStatus {
  readonly id: string;
  readonly condition: FeedCondition;
  /** The active version, when its bytes were fetched and when the publisher last confirmed it. */
  readonly version: string | null;
  readonly fetchedAt: number | null;
  readonly seenAt: number | null;
  readonly entries: number;
  readonly failure: string | null;
  readonly refusal: FeedRefusal | null;
  /** True after a rollback: the publisher's version is not taken. */
  readonly held: boolean;
  readonly licence: string;
  readonly url: string;
  readonly category: string;
  /** Entries that the active version added and removed; `null` where there was none before it. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly canRollBack: boolean;
  /** Kept versions, and from when on each was stale. */
  readonly versions: readonly { readonly version: string; readonly staleFrom: number }[];
}
