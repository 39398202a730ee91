import type { MonthResult } from './results.mjs';

export interface JudgedResult {
  readonly text: string;
  readonly verdict: 'missed' | 'met' | 'aim';
}

export function judgeResult(result: MonthResult): readonly JudgedResult[];
export function median(values: readonly number[]): number;
