/** Decides how many signups are usual at an hour of the week, and how many are far above that. */

/** Usual number in a step of ten minutes, and by how much such numbers differ. */
export interface UsualCount {
  readonly count: number;
  /** Median of the differences from the median. */
  readonly deviation: number;
}

export const STEP_MS = 600_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
/** Weeks that are compared. */
export const WEEKS = 4;
const STEPS_AN_HOUR = HOUR_MS / STEP_MS;
/** Fewer signups in a step, or stopped ones in a comparison, are never far above anything. */
export const MIN_COUNT = 20;
const TIMES = 4;
const DEVIATIONS = 6;

/**
 * @param hours for the hour itself and those beside it, the signups in that hour of each of the last weeks. The busiest one decides:
 * when the clocks change, or a rush comes an hour early, the traffic of an hour moves to the next.
 */
export function usualStep(hours: readonly (readonly number[])[]): UsualCount {
  const found = hours.map(usualOf).reduce((a, b) => (b.count > a.count ? b : a), { count: 0, deviation: 0 });
  return { count: found.count / STEPS_AN_HOUR, deviation: found.deviation / STEPS_AN_HOUR };
}

export function usualOf(counts: readonly number[]): UsualCount {
  const count = medianOf(counts);
  return { count, deviation: medianOf(counts.map((each) => Math.abs(each - count))) };
}

/** More than this is far above. */
export function limitOf({ count, deviation }: UsualCount, min = MIN_COUNT): number {
  return Math.max(min, TIMES * count, count + DEVIATIONS * deviation);
}

/** Middle of the numbers; 0 of none. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return 0;
  const [low, high] = [sorted[Math.ceil(middle) - 1] as number, sorted[Math.floor(middle)] as number];
  return (low + high) / 2;
}
