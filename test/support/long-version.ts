/** Decides how long tests last: a few rounds in `npm run test:all`; all rounds and time limits in `npm run reliability`. */
import { expect } from 'vitest';

/** Set by scripts/reliability.mjs, which runs the files in sequence. */
export const IS_LONG = process.env.GATEHOUSE_TEST_LONG !== undefined;

/** Set by the option `--rounds` of scripts/reliability.mjs. */
const WANTED_ROUNDS = Number(process.env.GATEHOUSE_TEST_ROUNDS ?? Number.NaN);

/** How often something is repeated. */
export const rounds = (short: number, long: number): number => (IS_LONG ? long : short);

/** Like `rounds`, for tests whose number of rounds can be chosen freely. */
export const manyRounds = (short: number, long: number): number =>
  Number.isNaN(WANTED_ROUNDS) ? rounds(short, long) : WANTED_ROUNDS;

/** Only ends a test that hangs. Shorter waits must not fail a test, because a busy machine may be late by seconds. */
export const HANG_MS = 90_000;

/** How long to wait for a result that is promised within `limitMs`. */
export const patienceMs = (limitMs: number): number => (IS_LONG ? limitMs : HANG_MS);

/** Checks a time limit, only in the long version: the limit means nothing while other tests use the same cores. */
export function expectWithin(milliseconds: number, limitMs: number, what = 'milliseconds'): void {
  if (IS_LONG) expect(milliseconds, what).toBeLessThan(limitMs);
}
