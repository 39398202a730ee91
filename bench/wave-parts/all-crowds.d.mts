import type { MonthPart } from './all-waves.mjs';

export const CROWDS: readonly MonthPart[];
