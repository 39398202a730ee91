/** Decides which reports of an account count as labels of a domain: its newest mistakes of live signups. */
import type { Report } from './evidence/good-reports.ts';
import type { LogStore } from './store/history-store.ts';

const NEWEST = 500;
const MEMORY_MS = 180 * 86_400_000;

export async function readReports(
  store: Pick<LogStore, 'reportedMistakes'>,
  account: string,
  now: number,
): Promise<readonly Report[]> {
  const { entries } = await store.reportedMistakes(
    account,
    { mode: 'live', since: now - MEMORY_MS },
    null,
    NEWEST,
  );
  return entries.map(({ row, mark }) => ({
    domain: row.emailDomain,
    good: mark.outcome === 'false_positive',
  }));
}
