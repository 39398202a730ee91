import { describe, expect, it } from 'vitest';
import { capitalized, duration, exactUtc, milliseconds, percent, pluralize, relative } from './format.ts';

describe('what is written', () => {
  it('gives a share no more digits than mean something', () => {
    expect([percent(0, 0), percent(1, 3), percent(1, 30), percent(1, 5000)]).toEqual([
      '0%',
      '33%',
      '3.3%',
      '< 0.1%',
    ]);
    expect([percent(4999, 5000), percent(5000, 5000)]).toEqual(['> 99.9%', '100%']);
  });

  it('counts in words, in the plural unless it is one', () => {
    expect([pluralize(1, 'signup'), pluralize(12345, 'signup')]).toEqual(['1 signup', '12,345 signups']);
    expect(pluralize(0, 'list entry', 'list entries')).toBe('0 list entries');
    expect([capitalized('allowed'), capitalized('')]).toEqual(['Allowed', '']);
  });

  it('tells times by their largest unit', () => {
    expect([duration(45), duration(300), duration(7200), duration(86400 * 3)]).toEqual([
      '45 s',
      '5 min',
      '2 h',
      '3 d',
    ]);
    expect([milliseconds(3.42), milliseconds(21.7), milliseconds(1234)]).toEqual([
      '3.4 ms',
      '22 ms',
      '1.2 s',
    ]);
  });

  it('tells how long ago, and the exact instant', () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(relative('2026-11-21T11:55:00Z', now)).toBe('5 min ago');
    expect(relative('2026-11-24T12:00:00Z', now)).toBe('in 3 days');
    expect(relative('2026-01-02T12:00:00Z', now)).toBe('2026-01-02');
    expect(exactUtc('2026-11-21T11:55:00.120Z')).toBe('2026-11-21 11:55:00.120 UTC');
    expect(exactUtc('2026-11-21T11:55:00Z')).toBe('2026-11-21 11:55:00 UTC');
  });
});
