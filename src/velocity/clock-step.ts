/** Decides whether an earlier time means that the clock was set back, or only that two calls came out of order. */

/** Calls come out of order by less than this; such a call counts as made at the latest time. */
const CLOCK_STEP_MS = 60_000;
/** Share of a short window: otherwise the time could stop for a whole window. */
const WINDOW_SHARE = 0.2;

/** Whether the clock was set back, for what is counted in a window of this length: see `wasSetBack`. */
export function wasSetBackInWindow(now: number, before: number, windowMs: number): boolean {
  return now < before - Math.min(CLOCK_STEP_MS, windowMs * WINDOW_SHARE);
}

/** Whether a clock that has shown `before` was set back when it shows `now`; both milliseconds since the epoch. */
export function wasSetBack(now: number, before: number): boolean {
  return now < before - CLOCK_STEP_MS;
}
