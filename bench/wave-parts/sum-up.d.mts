import type { Decision } from './mirror-month.mjs';
import type { MonthRow } from './month.mjs';

export interface WaveResult {
  readonly name: string;
  readonly signups: number;
  readonly knownFrom: number;
  readonly first: number;
  readonly stopped: number;
  readonly blocked: number;
  readonly floor: 'wave' | 'mask' | 'bombing' | null;
}

export interface CrowdResult {
  readonly name: string;
  readonly people: number;
  readonly challenged: number;
  readonly blocked: number;
  /** Whether only blocking one of them is a mistake. */
  readonly mayBeChallenged: boolean;
}

export interface EverydayResult {
  readonly people: number;
  readonly challenged: number;
  readonly blocked: number;
  readonly newly: number;
}

export interface MonthResult {
  readonly waves: readonly WaveResult[];
  readonly crowds: readonly CrowdResult[];
  readonly everyday: EverydayResult;
}

export function sumUp(
  rows: readonly MonthRow[],
  decisions: readonly Decision[],
  alone: readonly Decision[],
): MonthResult & { readonly rows: number };
