/** Sees that more mails to people who signed up bounce or are reported as spam than a provider of mail lets pass, before it acts. */
import type { AlertSighting } from '../model/alert.ts';
import { addUpAnswers } from '../store/answer-counts.ts';
import { type HistoryStore, SLOT_MS } from '../store/history-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import { DAY_MS, WEEK_MS, WEEKS } from './unusual.ts';
import type { Watch, WatchedAccount } from './watch-signups.ts';

export interface WatchOutcomesOptions {
  readonly store: Pick<HistoryStore, 'traffic'> & Pick<OutcomeStore, 'countOutcomes'>;
}

/**
 * Share of the signups that got a mail from which on it is an alert. Providers warn at 5 % of bounces and stop at 10, and at 0.1 %
 * of complaints and stop at 0.5; a few cases are no share. A day first: it shows an attack soon; then a week, for small accounts.
 */
const LIMITS = [
  { kind: 'bounced', share: 0.03, min: 10, windows: [DAY_MS, WEEK_MS] },
  { kind: 'complained', share: 0.001, min: 5, windows: [WEEK_MS] },
] as const;
/** Notes on the window that was counted. */
export const WINDOW_NOTES: Readonly<Record<number, string>> = { [DAY_MS]: 'day', [WEEK_MS]: 'week' };

type Limit = (typeof LIMITS)[number];

export function createWatchOutcomes({ store }: WatchOutcomesOptions): Watch {
  /** Live signups that were not blocked: mails went to these at most. */
  async function mailed(accountId: string, from: number, to: number): Promise<number> {
    const span = { mode: 'live', from: floor(from), to: floor(to) + SLOT_MS } as const;
    const { slots } = await store.traffic(accountId, span);
    const { allow, challenge, observed } = addUpAnswers(slots);
    return allow + challenge + observed.challenge + observed.block;
  }

  /** Share in the weeks before; 0 where nobody signed up. */
  async function usualShare(accountId: string, kind: Limit['kind'], before: number): Promise<number> {
    const from = before - WEEKS * WEEK_MS;
    const counts = await store.countOutcomes(accountId, { from, to: before });
    const total = await mailed(accountId, from, before - SLOT_MS);
    return total === 0 ? 0 : Math.min(1, counts[kind] / total);
  }

  async function watchKind(limit: Limit, { account, now }: WatchedAccount): Promise<AlertSighting[]> {
    const { kind, share, min, windows } = limit;
    for (const window of windows) {
      const from = now - window;
      const count = (await store.countOutcomes(account.id, { from, to: now + 1 }))[kind];
      if (count < min) continue;
      const total = await mailed(account.id, from, now);
      if (count < share * total) continue;
      const usual = (await usualShare(account.id, kind, from)) * total;
      const note = WINDOW_NOTES[window] as string;
      const counts = { count, total: Math.max(total, count), usual, shares: null, note };
      return [{ accountId: account.id, kind, subject: '', since: from, at: now, ...counts }];
    }
    return [];
  }

  return async (watched) => (await Promise.all(LIMITS.map((limit) => watchKind(limit, watched)))).flat();
}

function floor(at: number): number {
  return Math.floor(at / SLOT_MS) * SLOT_MS;
}
