/** Finds the newest signup of a mode before an instant. */
import type { KeyMode } from '../model/key-mode.ts';
import type { HistoryStore } from '../store/history-store.ts';
import { DAY_MS } from './dashboard-periods.ts';

export interface NewestQuestion {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Milliseconds since the epoch, exclusive. */
  readonly before: number;
}

/**
 * Time of the newest assessment of a mode; also found where very many of the other mode end a search early.
 * Milliseconds since the epoch; the start of its UTC day where only the day is known; `undefined`: there is none.
 */
export async function newestAt(
  store: Pick<HistoryStore, 'findAssessments' | 'dayCounts'>,
  { accountId, mode, before }: NewestQuestion,
): Promise<number | undefined> {
  const { rows, partial } = await store.findAssessments(accountId, { mode, to: before }, null, 1);
  if (rows[0] !== undefined || !partial) return rows[0]?.at;
  // Only whole days, so that nothing after the instant counts.
  const days = await store.dayCounts(accountId, 0, Math.floor(before / DAY_MS) * DAY_MS);
  const last = days.findLast((day) => day[mode] > 0);
  return last === undefined ? undefined : Date.parse(last.day);
}
