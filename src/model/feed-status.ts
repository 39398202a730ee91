/** The state of one feed, as operators see it. */
import type { EventVerdict } from './event.ts';

/** `stale`: not confirmed for three of its turns. `waiting`: its newest version waits for a person. `off`: not enabled. */
export type FeedCondition = 'ok' | 'stale' | 'waiting' | 'refused' | 'failed' | 'never' | 'off';

/** More changed verdicts than these make a version wait for a person: a number of signups, or a share of those judged again, 0 … 1. */
export type FlipLimit = { readonly signups: number } | { readonly share: number };

/** A stored signup that gets another verdict with a new version of a feed. */
export interface FeedFlip {
  readonly accountId: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly oldVerdict: EventVerdict;
  readonly newVerdict: EventVerdict;
}

/** Verdicts that the signups of the last days would get with a new version of a feed, compared with those under the present one. */
export interface FlipCounts {
  /** Signups that were judged again. */
  readonly judged: number;
  /** Number of them with a stricter and with a milder verdict. */
  readonly stricter: number;
  readonly milder: number;
}

/** A feed whose new version changes too many verdicts. */
export interface FeedFlips extends FlipCounts {
  readonly feed: string;
  /** Version of the active snapshot. */
  readonly inUse: string;
}

/** A version that changes too many verdicts. It waits for a person, who keeps the version before it or uses this one. */
export interface FeedReview extends FlipCounts {
  readonly version: string;
  readonly entries: number;
  /** Time of the review, milliseconds since the epoch. */
  readonly at: number;
  readonly decision: 'none' | 'kept' | 'used';
}

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
  /** Review of the newest version, where that changes too many verdicts. */
  readonly review: FeedReview | null;
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
