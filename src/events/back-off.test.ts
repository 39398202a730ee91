import { describe, expect, it } from 'vitest';
import { destinationPause, pauseAfter, readRetryAfter } from './back-off.ts';

const NOW = Date.UTC(2026, 4, 10, 10);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the pause before the next try', () => {
  it('grows from seconds to hours, a little shorter or longer', () => {
    expect([1, 2, 3, 99].map((tries) => pauseAfter(tries, 0.5))).toEqual([
      5_000,
      30_000,
      2 * MINUTE_MS,
      4 * HOUR_MS,
    ]);
    expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([4_000, 6_000]);
  });

  it('is at least as long as the receiver asks for', () => {
    expect(pauseAfter(1, 0.5, HOUR_MS)).toBe(HOUR_MS);
    expect(pauseAfter(99, 0.5, HOUR_MS)).toBe(4 * HOUR_MS);
    expect(destinationPause(HOUR_MS)).toBe(5 * MINUTE_MS);
    expect(destinationPause(5_000, HOUR_MS)).toBe(HOUR_MS);
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 2 * MINUTE_MS],
    [' 120 ', 2 * MINUTE_MS],
    [new Date(NOW + HOUR_MS).toUTCString(), HOUR_MS],
    [new Date(NOW - HOUR_MS).toUTCString(), 0],
    ['0', 0],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
    [undefined, 0],
  ])('%j is %d ms', (header, ms) => expect(readRetryAfter(header, NOW)).toBe(ms));

  it('leaves a destination alone for a day at most', () => {
    for (const header of ['999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])
      expect(readRetryAfter(header, NOW)).toBe(24 * HOUR_MS);
  });
});
