/** Knows how much of its month an account has used, near enough to refuse early; the store decides exactly. */
import { Problem } from '../contract/problem.ts';
import { monthOf } from '../store/month.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { Caller } from './directory.ts';

/** Whose month is counted. */
type Payer = Pick<Caller, 'account' | 'limits'>;

export interface Quota {
  /** Live credits used in the UTC month of `now`. */
  used(caller: Payer, now: number): number | Promise<number>;
  /** @throws Problem `quota_exceeded` at the cap */
  check(caller: Payer, used: number): void;
  /** Takes over the exact count that a commit returned. */
  learn(caller: Payer, at: number, used: number): void;
  /** Whole seconds until the UTC month ends, at least 1. */
  secondsToReset(now: number): number;
}

export function createQuota(store: Pick<AssessmentStore, 'creditsUsed'>): Quota {
  const known = new Map<string, { month: string; used: number }>();
  async function read(accountId: string, now: number): Promise<number> {
    return learn(accountId, now, await store.creditsUsed(accountId, monthOf(now)));
  }

  /** Keeps the larger count: a read may come back after a commit it did not see. */
  function learn(accountId: string, at: number, used: number): number {
    const month = monthOf(at);
    const entry = known.get(accountId);
    const most = entry?.month === month ? Math.max(entry.used, used) : used;
    known.set(accountId, { month, used: most });
    return most;
  }

  return {
    used({ account }, now) {
      const entry = known.get(account.id);
      return entry?.month === monthOf(now) ? entry.used : read(account.id, now);
    },
    check({ limits }, used) {
      if (limits.cap !== null && used >= limits.cap) throw new Problem('quota_exceeded');
    },
    learn({ account }, at, used) {
      learn(account.id, at, used);
    },
    secondsToReset(now) {
      return Math.max(1, Math.ceil((monthBounds(now).end - now) / 1000));
    },
  };
}

/** First millisecond of the UTC month of `now`, and of the next one. */
export function monthBounds(now: number): { start: number; end: number } {
  const date = new Date(now);
  return {
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
    end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}
