/** Where a score becomes a verdict. */

/** The lowest scores that are challenged and blocked: 1 ≤ challenge ≤ block ≤ 100. */
export interface Thresholds {
  readonly challenge: number;
  readonly block: number;
}

/** In force where neither the key nor its account has its own. */
export const DEFAULT_THRESHOLDS: Thresholds = { challenge: 30, block: 60 };
