import type { MonthRow } from './month.mjs';

export interface Decision {
  readonly verdict: 'allow' | 'challenge' | 'block';
  readonly score: number;
  /** `detector:weight`, with spaces between them. */
  readonly detectors: string;
}

export function replay(
  rows: readonly MonthRow[],
  args?: readonly string[],
): Promise<{
  readonly decisions: readonly Decision[];
  readonly cost: { readonly cpuMicroseconds: number; readonly peakKb: number };
}>;
