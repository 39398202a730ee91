import type { MonthResult } from './sum-up.mjs';

export interface JudgedResult {
  readonly text: string;
  readonly verdict: 'missed' | 'met' | 'aim';
}

export function judgeResult(result: MonthResult): readonly JudgedResult[];
export function median(values: readonly number[]): number;
export function judgeCost(
  cost: { readonly waves: { readonly onPath: number; readonly behind: number } },
  rows: number,
): readonly JudgedResult[];
