/** Decides when an earlier time means that the clock was set back, and not that two calls overtook each other. */

/** Calls overtake each other by less; below it, time stands still until it is past. */
export const CLOCK_STEP_MS = 60_000;
/** The share of a short window that calls overtake each other by at most: time must not stand still for a whole one. */
const WINDOW_SHARE = 0.2;

/** As `wasSetBack`, for what is counted in a window of this length. */
export function wasSetBackInWindow(now: number, before: number, windowMs: number): boolean {
  return now < before - Math.min(CLOCK_STEP_MS, windowMs * WINDOW_SHARE);
}

/** Whether a clock that has shown `before` was set back when it shows `now`; both milliseconds since the epoch. */
export function wasSetBack(now: number, before: number): boolean {
  return now < before - CLOCK_STEP_MS;
}
