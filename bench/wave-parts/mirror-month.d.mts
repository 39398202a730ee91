import type { MonthRow } from './month.mjs';

export interface Decision {
  readonly verdict: 'allow' | 'challenge' | 'block';
  readonly score: number;
  /** `detector:weight`, with spaces between them. */
  readonly detectors: string;
}

export function mirrorMonth(
  rows: readonly MonthRow[],
  args?: readonly string[],
): Promise<{
  readonly decisions: readonly Decision[];
  readonly cost: {
    readonly cpuMicroseconds: number;
    readonly peakKb: number;
    readonly waves: { readonly onPath: number; readonly behind: number };
  };
}>;
