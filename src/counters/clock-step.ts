/** Decides when an earlier time means that the clock was set back, and not that two calls overtook each other. */

/** Calls overtake each other by less; below it, time stands still until it is past. */
export const CLOCK_STEP_MS = 60_000;

/** Whether a clock that has shown `before` was set back when it shows `now`; both milliseconds since the epoch. */
export function wasSetBack(now: number, before: number): boolean {
  return now < before - CLOCK_STEP_MS;
}
