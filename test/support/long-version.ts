/** Decides how long tests last: short in `npm test`; all rounds and time limits in `npm run reliability`. */
import { expect } from 'vitest';

/** Set by scripts/reliability.mjs, which runs one file after the other. */
export const IS_LONG = process.env.GATEHOUSE_TEST_LONG !== undefined;

/** Also set by `npm run test:outages`: long outages, those of servers that a test must start for itself, and other tests that take long. */
export const WITH_OUTAGES = IS_LONG || process.env.GATEHOUSE_TEST_OUTAGES !== undefined;

/** Set by the option `--rounds` of scripts/reliability.mjs. */
const WANTED_ROUNDS = Number(process.env.GATEHOUSE_TEST_ROUNDS ?? Number.NaN);

/** How often something is repeated. */
export const rounds = (short: number, long: number): number => (IS_LONG ? long : short);

/** As `rounds`, for what may be repeated as often as somebody wants. */
export const manyRounds = (short: number, long: number): number =>
  Number.isNaN(WANTED_ROUNDS) ? rounds(short, long) : WANTED_ROUNDS;

/** No shorter wait may fail a test: a busy machine may be late by seconds. It only ends what hangs. */
export const HANG_MS = 30_000;

/** How long to wait for something that is promised within `limitMs`. */
export const patienceMs = (limitMs: number): number => (IS_LONG ? limitMs : HANG_MS);

/** A time limit. It means nothing while other tests use the same cores, so only the long version checks it. */
export function expectWithin(milliseconds: number, limitMs: number, what = 'milliseconds'): void {
  if (IS_LONG) expect(milliseconds, what).toBeLessThan(limitMs);
}
