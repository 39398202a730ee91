/** Says how sure a share is that few cases show: the score interval of Wilson (1927), which is also right for 0 and for all of few. */

/** Standard deviations on both sides of which 95 of 100 cases are. */
const DEVIATIONS = 1.959964;

export interface ShareInterval {
  /** 0 … 1; 95 of 100 such intervals contain the true share. */
  readonly low: number;
  readonly high: number;
}

/** @returns `null` without cases */
export function shareInterval(hits: number, cases: number): ShareInterval | null {
  if (cases === 0) return null;
  const square = DEVIATIONS ** 2;
  const share = hits / cases;
  const center = share + square / (2 * cases);
  const half = DEVIATIONS * Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  const whole = 1 + square / cases;
  return { low: Math.max(0, (center - half) / whole), high: Math.min(1, (center + half) / whole) };
}
