/** Decides how long tests last: briefly in `npm test`, with all rounds and with limits of time in `npm run reliability`. */
import { expect } from 'vitest';

/** Set by scripts/reliability.mjs, which runs one file after the other. */
export const IS_LONG = process.env.GATEHOUSE_TEST_LONG !== undefined;

/** How often something is repeated. */
export const rounds = (short: number, long: number): number => (IS_LONG ? long : short);

/** Nothing shorter than this may fail a test: a busy machine may be late by seconds. It ends what would hang. */
export const HANG_MS = 30_000;

/** How long something is waited for that is promised within `limitMs`. */
export const patienceMs = (limitMs: number): number => (IS_LONG ? limitMs : HANG_MS);

/** A limit of time, which says nothing while other tests run on the same cores: checked in the long version only. */
export function expectWithin(milliseconds: number, limitMs: number, what = 'milliseconds'): void {
  if (IS_LONG) expect(milliseconds, what).toBeLessThan(limitMs);
}
