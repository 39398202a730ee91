/** Finds when the newest assessment of a mode was made, also where very many of the other mode make a search stop early. */
import type { KeyMode } from '../model/key-mode.ts';
import type { LogStore } from '../store/history-store.ts';
import { DAY_MS } from './dashboard-periods.ts';

export interface NewestQuestion {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Milliseconds since the epoch, outside. */
  readonly before: number;
}

/** Milliseconds since the epoch, or the start of its UTC day where only that can be told; `undefined`: there is none. */
export async function newestAt(
  store: Pick<LogStore, 'findAssessments' | 'dayCounts'>,
  { accountId, mode, before }: NewestQuestion,
): Promise<number | undefined> {
  const { rows, partial } = await store.findAssessments(accountId, { mode, to: before }, null, 1);
  if (rows[0] !== undefined || !partial) return rows[0]?.at;
  // Whole days alone, so that nothing counts that is not before the instant.
  const days = await store.dayCounts(accountId, 0, Math.floor(before / DAY_MS) * DAY_MS);
  const last = days.findLast((day) => day[mode] > 0);
  return last === undefined ? undefined : Date.parse(last.day);
}
