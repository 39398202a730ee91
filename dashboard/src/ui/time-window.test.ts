import { describe, expect, it } from 'vitest';
import { axisNames, windowWords } from './time-window.ts';

const BERLIN = 'Europe/Berlin';

describe('the words of a span of time', () => {
  it('name whole days of the account by their dates', () => {
    expect(windowWords('2026-11-18T23:00:00Z', '2026-11-19T23:00:00Z', BERLIN)).toBe('Nov 19');
    expect(windowWords('2026-11-18T23:00:00Z', '2026-11-21T23:00:00Z', BERLIN)).toBe('Nov 19 – Nov 21');
    expect(windowWords('2026-11-19T00:00:00Z', '2026-11-20T00:00:00Z', BERLIN)).toBe(
      'Nov 19, 01:00 – Nov 20, 01:00',
    );
  });

  it('name all others by its clock, the day once', () => {
    expect(windowWords('2026-11-19T04:10:00Z', '2026-11-19T06:00:00Z', 'UTC')).toBe('Nov 19, 04:10 – 06:00');
    expect(windowWords('2026-11-19T04:10:00Z', '2026-11-19T06:00:00Z', BERLIN)).toBe('Nov 19, 05:10 – 07:00');
    expect(windowWords('2026-11-19T22:00:00Z', '2026-11-20T02:00:00Z', 'UTC')).toBe(
      'Nov 19, 22:00 – Nov 20, 02:00',
    );
    expect(windowWords('2026-11-19T04:10:00Z', undefined, 'UTC')).toBe('since Nov 19, 04:10');
    expect(windowWords(undefined, '2026-11-19T04:10:00Z', 'UTC')).toBe('before Nov 19, 04:10');
  });

  it('show what cannot be read', () => {
    expect(windowWords('yesterday', undefined, 'UTC')).toBe('yesterday');
  });
});

describe('the names on an axis', () => {
  const starts = (count: number, barMs: number) =>
    Array.from({ length: count }, (_, bar) =>
      new Date(Date.UTC(2026, 10, 18, 20) + bar * barMs).toISOString(),
    );

  it('are days where bars are long, each at its first bar', () => {
    const { names, choices } = axisNames(starts(9, 4 * 3_600_000), 4 * 3_600_000, 'UTC');
    expect(choices[0]?.map((place) => names[place])).toEqual(['Nov 18', 'Nov 19', 'Nov 20']);
    expect(choices[0]).toEqual([0, 1, 7]);
  });

  it('are hours where they are short', () => {
    const { names, choices } = axisNames(starts(20, 900_000), 900_000, 'UTC');
    expect(choices[0]?.map((place) => names[place])).toEqual(['20:00', '21:00', '22:00', '23:00', 'Nov 19']);
  });
});
