/** Decides when a feed is fetched next: as often as its row says, never all at once, and less often when it fails. */
import type { Feed } from './feed.ts';

const HOUR_MS = 3_600_000;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * HOUR_MS;
/** A publisher corrects a broken feed sooner than its usual turn. */
const REFUSED_MS = 6 * HOUR_MS;
const JITTER = 0.1;
/** Slack for clocks that do not agree to the millisecond. */
const SLACK_MS = 60_000;

export interface ScheduleOptions {
  readonly clock: () => number;
  /** 0 … 1, as `Math.random`. */
  readonly random: () => number;
}

export interface Schedule {
  /** Milliseconds since the epoch. `failures`: in a row, this one included. */
  next(feed: Pick<Feed, 'everyHours'>, outcome: 'good' | 'refused' | 'failed', failures: number): number;
}

/**
 * Whether a feed is due. A time farther ahead than any wait can be was set by a clock that was ahead, that of another
 * node or of an earlier process: then the feed is due, too.
 */
export function isDue({ everyHours }: Pick<Feed, 'everyHours'>, dueAt: number, now: number): boolean {
  return dueAt <= now || dueAt > now + everyHours * HOUR_MS * (1 + JITTER) + SLACK_MS;
}

export function createSchedule({ clock, random }: ScheduleOptions): Schedule {
  return {
    next({ everyHours }, outcome, failures) {
      const usual = everyHours * HOUR_MS;
      const retry = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
      const wait = { good: usual, refused: Math.min(usual, REFUSED_MS), failed: Math.min(usual, retry) }[
        outcome
      ];
      return clock() + wait * (1 + JITTER * (2 * random() - 1));
    },
  };
}
