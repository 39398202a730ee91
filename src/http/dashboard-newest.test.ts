import { expect, it } from 'vitest';
import type { DayCount, HistoryPage, HistorySearch } from '../store/history-store.ts';
import { newestAt } from './dashboard-newest.ts';

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
