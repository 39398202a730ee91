import type { MonthPart } from './all-waves.mjs';

export interface Crowd extends MonthPart {
  /** Whether only blocking one of them is a mistake. */
  readonly mayBeChallenged?: boolean;
}

export const CROWDS: readonly Crowd[];
