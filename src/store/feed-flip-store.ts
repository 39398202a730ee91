/** The port for signups that the newest version of a feed would give another verdict. */
import type { FeedFlip } from '../model/feed-status.ts';

/** A signup, and the version of the feed that changes its verdict. */
export interface StoredFeedFlip extends FeedFlip {
  readonly feed: string;
  readonly version: string;
}

/** Flips go with their signup, and with the account. */
export interface FeedFlipStore {
  /** Every stored flip, the newest signup first. */
  feedFlips(): Promise<readonly StoredFeedFlip[]>;
  /** Replaces those of a feed; none forgets them. @param version the version that changes these verdicts */
  saveFeedFlips(feed: string, version: string, flips: readonly FeedFlip[]): Promise<void>;
  /** Forgets those of signups that are gone. */
  forgetFeedFlips(requestIds: readonly string[]): Promise<void>;
}
