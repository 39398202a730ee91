import { describe, expect, it } from 'vitest';
import { createTimes, exactUtc } from './times.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const LA = createTimes('en-US', 'America/Los_Angeles');
const plain = (text: string) => text.replaceAll(/[\u2009\u202f\u00a0]/g, ' ');

describe('a time', () => {
  it('is told by how long ago within a day, and by date and clock from then on', () => {
    const { relative } = createTimes('en-US', 'Europe/Berlin');
    const told = (at: string) => relative(at, NOW);
    expect(told('2026-11-29T11:59:55Z')).toBe('just now');
    expect(told('2026-11-29T11:55:00Z')).toBe('5 min ago');
    expect(told('2026-11-29T15:00:00Z')).toBe('in 3 h');
    expect(told('2026-11-28T12:00:01Z')).toBe('24 h ago');
    expect(told('2026-11-28T12:00:00Z')).toBe('Nov 28, 13:00');
    expect(told('2026-11-19T03:12:33Z')).toBe('Nov 19, 04:12');
    expect(told('2026-12-28T16:01:00Z')).toBe('Dec 28, 17:01');
    expect(told('2025-11-19T03:12:33Z')).toBe('Nov 19, 2025');
  });

  it('has the year where another one could be meant', () => {
    const told = (at: string) => createTimes('en-US', 'Europe/Berlin').moment(at, NOW);
    expect(told('2026-12-31T23:30:00Z')).toBe('Jan 1, 00:30');
    expect(told('2027-12-31T23:30:00Z')).toBe('Jan 1, 2028, 00:30');
  });

  it.each([
    ['en-US', 'Nov 19, 04:12', 'Nov 19, 2026, 04:12:33', 'Nov 19'],
    ['de', '19. Nov., 04:12', '19. Nov. 2026, 04:12:33', '19. Nov.'],
    ['ar-EG', '١٩ نوفمبر، ٠٤:١٢', '١٩ نوفمبر ٢٠٢٦، ٠٤:١٢:٣٣', '١٩ نوفمبر'],
  ])('is written as %s does', (locale, moment, exact, day) => {
    const times = createTimes(locale, 'Europe/Berlin');
    const at = '2026-11-19T03:12:33Z';
    expect([times.moment(at, NOW), times.exact(at), times.day(at)]).toEqual([moment, exact, day]);
  });

  it('is exact to the millisecond in UTC', () => {
    expect(exactUtc('2026-11-21T11:55:00.120Z')).toBe('2026-11-21 11:55:00.120 UTC');
    expect(exactUtc('2026-11-21T11:55:00Z')).toBe('2026-11-21 11:55:00 UTC');
  });
});

describe('a window of time', () => {
  it.each([
    ['a day', '2026-11-19T08:00:00Z', '2026-11-20T08:00:00Z', 'Nov 19'],
    ['days', '2026-11-19T08:00:00Z', '2026-11-26T08:00:00Z', 'Nov 19 – 25'],
    ['the day on which the clock changes', '2026-11-01T07:00:00Z', '2026-11-02T08:00:00Z', 'Nov 1'],
    ['a day of another year', '2025-11-19T08:00:00Z', '2025-11-20T08:00:00Z', 'Nov 19, 2025'],
    ['hours', '2026-11-19T12:00:00Z', '2026-11-19T16:00:00Z', 'Nov 19, 04:00 – 08:00'],
    ['hours of two days', '2026-11-19T12:00:00Z', '2026-11-20T16:00:00Z', 'Nov 19, 04:00 – Nov 20, 08:00'],
    ['no end', '2026-11-19T12:12:00Z', undefined, 'since Nov 19, 04:12'],
    ['no start', undefined, '2026-11-19T12:12:00Z', 'before Nov 19, 04:12'],
    ['ends that are no times', 'soon', 'x', 'soon – x'],
    ['no ends', undefined, undefined, 'any time'],
  ])('is one text: %s', (_, from, to, words) => {
    expect(plain(LA.window(from, to, NOW))).toBe(words);
  });
});
