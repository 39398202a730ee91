import type { MonthPart } from './waves.mjs';

export const CROWDS: readonly MonthPart[];
