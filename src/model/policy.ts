/** The policy, which decides a signup beside its evidence: weights and thresholds. */

/** The lowest scores that are challenged and blocked: 1 ≤ challenge ≤ block ≤ 100. */
export interface Thresholds {
  readonly challenge: number;
  readonly block: number;
}

/** Used if neither the key nor its account has its own. */
export const DEFAULT_THRESHOLDS: Thresholds = { challenge: 30, block: 60 };

/** Base weight, 0 … 100, by detector. */
export type Weights = Readonly<Record<string, number>>;

/** Weights under the name that is stored with every assessment. */
export interface WeightSet {
  /** `default-2`, or of an account's own `custom-3`. */
  readonly version: string;
  readonly weights: Weights;
}

export interface Policy extends WeightSet {
  readonly thresholds: Thresholds;
}
