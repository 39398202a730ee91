/** Describes an export for the audit log: its filter, and the maximum number of signups. */
import type { LogSearch, LogStore } from '../store/history-store.ts';
import { DAY_MS } from './dashboard-periods.ts';

const GROUPED = new Intl.NumberFormat('en');

/** @param query the filter as it was sent, and accepted */
export async function describeExport(
  store: Pick<LogStore, 'dayCounts'>,
  accountId: string,
  { search, query, now }: { search: LogSearch; query: Readonly<Record<string, string>>; now: number },
): Promise<string> {
  const filter = Object.entries(query).filter(([, value]) => value !== '');
  const words = filter.map(([name, value]) => `${name} ${value}`).join(', ');
  const count = await countAtMost(store, accountId, search, now);
  const max = count === undefined ? 'signups not counted' : `at most ${GROUPED.format(count)} signups`;
  return `${words === '' ? 'no filter' : words}; ${max}`;
}

/** Counts whole days by the rollups, without reading any signup; `undefined` if they do not answer. */
async function countAtMost(
  store: Pick<LogStore, 'dayCounts'>,
  accountId: string,
  { from = 0, to = Number.POSITIVE_INFINITY, mode }: LogSearch,
  now: number,
): Promise<number | undefined> {
  const end = Math.min(to, now + 2 * DAY_MS);
  const span = [Math.floor(from / DAY_MS) * DAY_MS, Math.ceil(end / DAY_MS) * DAY_MS] as const;
  const days = await store.dayCounts(accountId, ...span).catch(() => undefined);
  return days?.reduce(
    (sum, { live, test }) => sum + (mode === 'test' ? 0 : live) + (mode === 'live' ? 0 : test),
    0,
  );
}
