/** Wires what judges past signups again: the recall of each night, and the review of each new version of a feed. */
import type { Config } from '../config/config.ts';
import type { LiveIntel } from '../intel/live-intel.ts';
import { createFeedReview, type FeedReviewOptions } from '../signup/recall/feed-review.ts';
import { createLiveRecall, type LiveRecallOptions } from '../signup/recall/live-recall.ts';
import type { Pruner } from '../store/pruner.ts';
import { retentionOf } from './storage.ts';

export interface WireRecallOptions extends Omit<LiveRecallOptions, 'retention' | 'isAlone' | 'intel'> {
  readonly config: Config;
  readonly store: LiveRecallOptions['store'] & FeedReviewOptions['store'];
  readonly log: LiveRecallOptions['log'] & FeedReviewOptions['log'];
  readonly intel: LiveIntel;
}

export function wireRecall({ intel, ...shared }: WireRecallOptions): Pruner {
  const { config, clocks } = shared;
  const ending = new AbortController();
  const { signal } = ending;
  intel.reviewWith(createFeedReview({ ...shared, limit: config.feedFlips, clock: clocks.wall, signal }));
  const recall = createLiveRecall({
    ...shared,
    intel: intel.current,
    retention: retentionOf(config),
    isAlone: config.databaseUrl === null,
  });
  return {
    start: recall.start,
    async close() {
      ending.abort();
      await recall.close();
    },
  };
}
