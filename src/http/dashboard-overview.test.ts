import { describe, expect, it } from 'vitest';
import {
  type DayCount,
  type HistoryPage,
  type HistorySearch,
  SLOT_MS,
  type TrafficSpan,
} from '../store/history-store.ts';
import { comparePeriods, newestAt } from './dashboard-overview.ts';
import { spanOf } from './dashboard-periods.ts';

const BEFORE = Date.parse('2026-11-22T10:00:00Z');
const QUESTION = { accountId: 'acc_a', mode: 'test', before: BEFORE } as const;
const DAYS: DayCount[] = [
  { day: '2026-11-01', live: 9, test: 2 },
  { day: '2026-11-20', live: 9, test: 1 },
  { day: '2026-11-21', live: 30_000, test: 0 },
];

function storeOf(found: Partial<HistoryPage>, days: readonly DayCount[] = []) {
  const searches: unknown[] = [];
  return {
    searches,
    async findAssessments(_: string, search: HistorySearch) {
      searches.push(search);
      return { rows: [], next: null, partial: false, ...found };
    },
    async dayCounts(_: string, from: number, to: number) {
      searches.push([from, to]);
      return days;
    },
  };
}

it('is usually found by one search', async () => {
  const store = storeOf({ rows: [{ at: 17 }] as never });
  expect(await newestAt(store, QUESTION)).toBe(17);
  expect(store.searches).toEqual([{ mode: 'test', to: BEFORE }]);
});

it('is undefined if the search reached the end of the log', async () => {
  const store = storeOf({}, DAYS);
  expect(await newestAt(store, QUESTION)).toBeUndefined();
  expect(store.searches).toHaveLength(1);
});

it('is known to the day if the search stopped early among signups of the other mode', async () => {
  const store = storeOf({ partial: true }, DAYS);
  expect(await newestAt(store, QUESTION)).toBe(Date.parse('2026-11-20'));
  expect(store.searches[1]).toEqual([0, Date.parse('2026-11-22')]);
  expect(await newestAt(storeOf({ partial: true }), QUESTION)).toBeUndefined();
});

describe('the comparison with the period before', () => {
  const NOW = Date.parse('2026-11-28T16:41:32Z');
  const DAY_MS = 86_400_000;
  const counts = (allow: number) => ({ allow, challenge: 0, block: 0, observed: { challenge: 0, block: 0 } });
  const within =
    ({ from, to }: TrafficSpan) =>
    (at: number) =>
      at >= from && at < to;

  /** One signup at each instant; `max`: more are not counted one by one. */
  function historyOf(instants: readonly number[], max: number) {
    const count = (span: TrafficSpan) => instants.filter(within(span)).length;
    return {
      ...storeOf({ rows: [{ at: 0 }] as never }),
      async traffic(_: string, span: TrafficSpan) {
        const slots = [...new Set(instants.map((at) => Math.floor(at / SLOT_MS) * SLOT_MS))];
        return {
          readAt: NOW,
          slots: slots.filter(within(span)).map((at) => ({
            at,
            ...counts(count({ ...span, from: at, to: at + SLOT_MS })),
          })),
          reasons: [],
          findings: [],
          latency: { p50: null, p95: null },
        };
      },
      async countVerdicts(_: string, { shadow, from = 0, to = 0 }: HistorySearch) {
        const found = shadow === true ? 0 : count({ mode: 'live', from, to });
        return { allow: found, challenge: 0, block: 0, reached: found > max ? from : null };
      },
    };
  }

  it.each([
    ['to the same instant', 100, { before: 3, compared: 4 }],
    ['to the same full half hour where the last one has too many', 0, { before: 2, compared: 3 }],
  ])('cuts both sides alike: %s', async (_, max, expected) => {
    const span = spanOf('24h', NOW, 'UTC');
    const now = [span.from, span.from + 5, NOW - SLOT_MS, NOW - 1];
    const before = [span.from, NOW - SLOT_MS, NOW - 1, NOW, NOW + 60_000].map((at) => at - DAY_MS);
    const store = historyOf([...now, ...before], max);
    const traffic = await store.traffic('acc_a', { mode: 'live', ...span });
    const found = await comparePeriods(store, {
      accountId: 'acc_a',
      mode: 'live',
      span,
      readAt: NOW,
      traffic,
    });
    expect({ before: found.before?.allow, compared: found.compared.allow }).toEqual(expected);
  });
});
