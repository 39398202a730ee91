/** Decides whether a key in shadow mode has seen enough to enforce its verdicts, and whether that would harm good customers. */
import { reportedAs } from '../signup/label-effect.ts';
import type { ShadowCounts } from '../store/history-store.ts';
import { DAY_MS } from './dashboard-periods.ts';

/** Too few days or signups for a judgement before these. */
export const MIN_DAYS = 7;
export const MIN_SIGNUPS = 500;

/** `look`: it would have stopped good customers whom people know. */
export type ReadinessState = 'collecting' | 'look' | 'ready';

export interface Readiness {
  readonly state: ReadinessState;
  /** Days since its oldest signup that counts, rounded down. */
  readonly days: number;
  readonly signups: number;
  /** Good customers and fraud that people reported, and that it would have stopped. */
  readonly good: number;
  readonly fraud: number;
}

export function readinessOf(keyId: string, { counts, labels }: ShadowCounts, now: number): Readiness {
  const own = counts.filter((count) => count.keyId === keyId);
  const signups = own.reduce((sum, { count }) => sum + count, 0);
  const oldestAt = Math.min(now, ...own.map((count) => count.oldestAt));
  const days = Math.floor((now - oldestAt) / DAY_MS);
  const stopped = { good: 0, fraud: 0 };
  for (const { keyId: labelled, verdict, label, count } of labels) {
    const side = reportedAs(label);
    if (side !== null && labelled === keyId && verdict !== 'allow') stopped[side] += count;
  }
  return { state: stateOf(), days, signups, ...stopped };

  function stateOf(): ReadinessState {
    if (days < MIN_DAYS || signups < MIN_SIGNUPS) return 'collecting';
    return stopped.good > 0 ? 'look' : 'ready';
  }
}
