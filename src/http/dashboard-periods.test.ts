import { describe, expect, it } from 'vitest';
import { daysWithin, edgesOf, spanOf } from './dashboard-periods.ts';

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
    expect(toText(spanOf(period, NOW, 'UTC'))).toEqual([from, to]);
  });

  it.each([
    ['2026-11-22T00:00:00.000Z', '2026-10-24T00:00', '2026-11-23T00:00'],
    ['2026-11-22T23:59:59.999Z', '2026-10-24T00:00', '2026-11-23T00:00'],
    ['2026-03-01T12:00:00.000Z', '2026-01-31T00:00', '2026-03-02T00:00'],
  ])('stays the same all day, and crosses the ends of months (%s)', (now, from, to) => {
    expect(toText(spanOf('30d', Date.parse(now), 'UTC'))).toEqual([from, to]);
  });

  it.each([
    ['Europe/Berlin', '2026-11-21T11:00', '2026-11-15T23:00', '2026-10-23T22:00', '2026-11-22T23:00'],
    ['America/Los_Angeles', '2026-11-21T11:00', '2026-11-16T08:00', '2026-10-24T07:00', '2026-11-23T08:00'],
    ['Asia/Kolkata', '2026-11-21T10:30', '2026-11-15T18:30', '2026-10-23T18:30', '2026-11-22T18:30'],
    // Half hours are counted: the day begins at a quarter past midnight, 18:30 in UTC.
    ['Asia/Kathmandu', '2026-11-21T10:30', '2026-11-15T18:30', '2026-10-23T18:30', '2026-11-22T18:30'],
  ])('is of whole hours or days by the clock of %s', (zone, hours, week, month, end) => {
    expect(PERIODS.map((period) => toText(spanOf(period, NOW, zone))[0])).toEqual([hours, week, month]);
    expect(toText(spanOf('30d', NOW, zone))[1]).toBe(end);
  });

  it.each([
    ['Europe/Berlin', '2026-03-31T12:00:00Z', 3],
    ['Europe/Berlin', '2026-10-27T12:00:00Z', 5],
    ['Asia/Beirut', '2026-03-31T12:00:00Z', 3],
  ])('has one shorter or longer bar where the clock of %s changes (%s)', (zone, now, hours) => {
    const edges = edgesOf('7d', Date.parse(now), zone);
    const lengths = edges.slice(1).map((edge, at) => (edge - (edges[at] as number)) / 3_600_000);
    expect(lengths).toHaveLength(42);
    expect(lengths.filter((length) => length !== 4)).toEqual([hours]);
    const days = edgesOf('30d', Date.parse(now), zone);
    expect(days).toHaveLength(31);
    expect(((days[30] as number) - (days[0] as number)) / 3_600_000).toBe(30 * 24 + hours - 4);
  });

  it('contains the present at every minute of a day, in whole bars of whole half hours', () => {
    for (const zone of ['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham'])
      for (let now = NOW; now < NOW + 86_400_000; now += 97 * 60_000)
        for (const period of PERIODS) {
          const edges = edgesOf(period, now, zone);
          expect(
            edges.filter((edge) => edge % 1_800_000 !== 0),
            `${zone} ${now}`,
          ).toEqual([]);
          expect((edges.at(-1) as number) > now, `${zone} ${now}`).toBe(true);
          expect(edges.findLastIndex((edge) => edge <= now)).toBeGreaterThanOrEqual(
            period === '7d' ? 36 : 23,
          );
        }
  });
});

describe('the days within a billed month', () => {
  const MONTH = { from: Date.parse('2026-10-01T00:00:00Z'), to: Date.parse('2026-11-01T00:00:00Z') };

  it.each([
    ['UTC', 31, '2026-10-02T00:00', '2026-10-31T00:00'],
    // The first day has 22 hours, and the last one hour.
    ['Europe/Berlin', 32, '2026-10-01T22:00', '2026-10-31T23:00'],
    ['America/Los_Angeles', 32, '2026-10-01T07:00', '2026-10-31T07:00'],
    ['Asia/Kathmandu', 32, '2026-10-01T18:30', '2026-10-31T18:30'],
  ])(
    'begin at midnight by the clock of %s, and cover the month without a gap',
    (zone, days, second, last) => {
      const edges = daysWithin(MONTH, zone);
      expect([edges[0], edges.at(-1)]).toEqual([MONTH.from, MONTH.to]);
      expect(edges).toHaveLength(days + 1);
      expect(edges.toSorted((a, b) => a - b)).toEqual(edges);
      expect([edges[1], edges.at(-2)].map((at) => new Date(at as number).toISOString().slice(0, 16))).toEqual(
        [second, last],
      );
    },
  );
});
