/** Decides whether a key in shadow mode has seen enough to enforce its verdicts, and whether that would harm good customers. */
import type { VerdictCounts } from '../contract/dashboard-account.ts';
import type {
  ReadinessState,
  ShadowCause,
  ShadowReadiness,
  ShadowReports,
} from '../contract/dashboard-shadow.ts';
import { isInShadow } from '../model/enforced-share.ts';
import { reportedAs } from '../signup/label-effect.ts';
import type { HistoryStore, ShadowCount, ShadowCounts } from '../store/history-store.ts';
import type { Account, Key } from '../store/store.ts';
import { DAY_MS, spanOf } from './dashboard-periods.ts';

/** Too few days or signups for a judgement before these. */
export const MIN_DAYS = 7;
export const MIN_SIGNUPS = 500;
const MAX_CAUSES = 3;

export interface ReadinessOptions {
  readonly store: Pick<HistoryStore, 'shadowCounts' | 'findAssessments'>;
}

/** Reads the readiness of those keys that are live, valid and in shadow mode, by their ids. */
export async function readReadiness(
  { store }: ReadinessOptions,
  { id, timeZone }: Account,
  keys: readonly Key[],
  now: number,
): Promise<ReadonlyMap<string, ShadowReadiness>> {
  const observing = keys.filter((key) => isInShadow(key) && key.mode === 'live' && key.revokedAt === null);
  if (observing.length === 0) return new Map();
  const span = spanOf('30d', now, timeZone);
  const counts = await store.shadowCounts(id, { mode: 'live', ...span });
  return new Map(
    await Promise.all(
      observing.map(async (key) => {
        const readiness = readinessOf(key.id, counts, now);
        if (counts.reached === null || readiness.missing.days === 0) return [key.id, readiness] as const;
        // The signups that were counted are the newest ones: it may have older ones.
        const search = { keyId: key.id, mode: 'live', shadow: true, to: now - MIN_DAYS * DAY_MS } as const;
        const { rows } = await store.findAssessments(id, { ...search, from: span.from }, null, 1);
        return [key.id, readinessOf(key.id, counts, now, rows[0]?.at)] as const;
      }),
    ),
  );
}

/** @param oldestAt time of a signup that is older than those that were counted */
export function readinessOf(
  keyId: string,
  { counts, labels }: ShadowCounts,
  now: number,
  oldestAt = now,
): ShadowReadiness {
  const own = counts.filter((count) => count.keyId === keyId);
  const ownLabels = labels.filter((count) => count.keyId === keyId);
  const verdicts = verdictsOf(own);
  const signups = verdicts.allow + verdicts.challenge + verdicts.block;
  const days = Math.floor((now - Math.min(oldestAt, ...own.map((count) => count.oldestAt))) / DAY_MS);
  const missing = { days: Math.max(0, MIN_DAYS - days), signups: Math.max(0, MIN_SIGNUPS - signups) };
  const reported = reportsOf(ownLabels);
  return { state: stateOf(), days, missing, verdicts, reported, causes: causesOf(ownLabels) };

  function stateOf(): ReadinessState {
    if (missing.days > 0 || missing.signups > 0) return 'collecting';
    return reported.good_stopped > 0 ? 'look' : 'ready';
  }
}

export function verdictsOf(counts: readonly ShadowCount[]): VerdictCounts {
  const total = { allow: 0, challenge: 0, block: 0 };
  for (const { verdict, count } of counts) total[verdict] += count;
  return total;
}

export function reportsOf(labels: ShadowCounts['labels']): ShadowReports {
  const reports = { good_stopped: 0, good_allowed: 0, fraud_stopped: 0, fraud_allowed: 0 };
  for (const { label, verdict, count } of labels) {
    const side = reportedAs(label);
    if (side !== null) reports[`${side}_${verdict === 'allow' ? 'allowed' : 'stopped'}`] += count;
  }
  return reports;
}

function causesOf(labels: ShadowCounts['labels']): ShadowCause[] {
  const byDetector = new Map<string, { good: number; fraud: number }>();
  for (const { label, verdict, finding, count } of labels) {
    const side = reportedAs(label);
    if (side === null || verdict === 'allow' || finding === '') continue;
    const counts = byDetector.get(finding) ?? { good: 0, fraud: 0 };
    counts[side] += count;
    byDetector.set(finding, counts);
  }
  return [...byDetector]
    .filter(([, { good }]) => good > 0)
    .map(([detector, counts]) => ({ detector, ...counts }))
    .sort((a, b) => b.good - a.good || (a.detector < b.detector ? -1 : 1))
    .slice(0, MAX_CAUSES);
}
