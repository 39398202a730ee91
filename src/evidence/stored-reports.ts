/** Decides which reports of an account are labels of a domain: its newest mistakes of live signups. */
import type { HistoryStore } from '../store/history-store.ts';
import type { Report } from './good-reports.ts';

/** The newest reports of mistakes in this time count. */
const MAX_REPORTS = 500;
const REPORT_MEMORY_MS = 180 * 86_400_000;

/** @param now milliseconds since the epoch */
export async function readReports(
  store: Pick<HistoryStore, 'reportedMistakes'>,
  account: string,
  now: number,
): Promise<readonly Report[]> {
  // Anybody can read a throw-away mailbox and pass a challenge: that says nothing good about its domain.
  const filter = { mode: 'live', since: now - REPORT_MEMORY_MS, byPeople: true } as const;
  const { entries } = await store.reportedMistakes(account, filter, null, MAX_REPORTS);
  return entries.map(({ row, mark }) => ({
    domain: row.emailDomain,
    good: mark.outcome === 'false_positive',
  }));
}
