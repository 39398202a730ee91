/** Decides when something that happens once a day, at an hour of a zone's clock, is due. */
import { createWallClock, type TimeZone } from '../model/time-zone.ts';

export interface DailyTask {
  /** Hour of the zone's clock, 0 to 23. */
  readonly hour: number;
  readonly timeZone: TimeZone;
  /** The zone's day on which it was done last, `2026-05-10`; empty before the first. */
  readonly lastDay: string;
  /** Instant since which it is wanted, milliseconds since the epoch. */
  readonly since: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY_LENGTH = '2026-05-10'.length;

/** @returns the zone's day for which it is due, and was not done yet */
export function dueDay({ hour, timeZone, lastDay, since }: DailyTask, now: number): string | undefined {
  const clock = createWallClock(timeZone);
  const wall = clock.wallOf(now);
  const midnight = wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS);
  const day = new Date(midnight).toISOString().slice(0, DAY_LENGTH);
  const dueAt = clock.instantOf(midnight + hour * HOUR_MS);
  return lastDay < day && dueAt <= now && dueAt >= since ? day : undefined;
}
