import { describe, expect, it } from 'vitest';
import { bucketMsOf, earlierSpan, spanOf } from './dashboard-periods.ts';

const NOW = Date.parse('2026-11-22T10:17:42.123Z');
const PERIODS = ['24h', '7d', '30d'] as const;
const toText = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((at) => new Date(at).toISOString().slice(0, 16));

describe('a period', () => {
  it.each([
    ['24h', '2026-11-21T11:00', '2026-11-22T11:00'],
    ['7d', '2026-11-16T00:00', '2026-11-23T00:00'],
    ['30d', '2026-10-24T00:00', '2026-11-23T00:00'],
  ] as const)('of %s is whole hours or days in UTC, including the current one', (period, from, to) => {
    expect(toText(spanOf(period, NOW))).toEqual([from, to]);
  });

  it.each([
    ['2026-11-22T00:00:00.000Z', '2026-10-24T00:00', '2026-11-23T00:00'],
    ['2026-11-22T23:59:59.999Z', '2026-10-24T00:00', '2026-11-23T00:00'],
    ['2026-03-01T12:00:00.000Z', '2026-01-31T00:00', '2026-03-02T00:00'],
  ])('stays the same all day, and crosses the ends of months (%s)', (now, from, to) => {
    expect(toText(spanOf('30d', Date.parse(now)))).toEqual([from, to]);
  });

  it('is made of whole bars', () => {
    for (const period of PERIODS) {
      const { from, to } = spanOf(period, NOW);
      expect((to - from) % bucketMsOf(period)).toBe(0);
      expect(from % bucketMsOf(period)).toBe(0);
    }
  });

  it.each([
    ['24h', '2026-11-20T11:00', '2026-11-21T10:17'],
    ['7d', '2026-11-09T00:00', '2026-11-15T10:17'],
    ['30d', '2026-09-24T00:00', '2026-10-23T10:17'],
  ] as const)('of %s is compared with the same part of the period before', (period, from, to) => {
    expect(toText(earlierSpan(spanOf(period, NOW), NOW))).toEqual([from, to]);
  });

  it('is compared with exactly as much of the period before as has passed of itself', () => {
    for (const period of PERIODS)
      for (const now of [
        '2026-11-22T00:00:00.000Z',
        '2026-11-22T16:41:32.017Z',
        '2026-11-22T23:59:59.999Z',
      ]) {
        const at = Date.parse(now);
        const span = spanOf(period, at);
        const earlier = earlierSpan(span, at);
        expect(earlier.to - earlier.from, `${period} at ${now}`).toBe(at - span.from);
        expect(earlier.from, `${period} at ${now}`).toBe(2 * span.from - span.to);
      }
  });
});
