/** GET …/shadow: what each key in shadow mode would have done in the last days. */
import type { Directory } from '../accounts/directory.ts';
import type { ShadowKeyReport, ShadowReadiness, ShadowReport } from '../contract/dashboard-shadow.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { isInShadow } from '../model/enforced-share.ts';
import type { HistoryEntry, HistoryStore, ShadowCount, ShadowCounts } from '../store/history-store.ts';
import type { Key } from '../store/store.ts';
import { instantOrNull, toAssessmentRow, toIndexBacklog } from './dashboard-history.ts';
import { readPeriod, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { readReadiness, reportsOf, verdictsOf } from './dashboard-shadow-readiness.ts';
import { keyFacts } from './state-facts.ts';
import { versionOf } from './state-version.ts';

export interface ShadowRouteOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'shadowCounts' | 'findAssessments'>;
  readonly directory: Pick<Directory, 'keysOf'>;
}

const MAX_REASONS = 5;
const MAX_LATEST = 5;
/** Max. keys in the report of an account: those with the most signups. */
const MAX_KEYS = 20;

export function shadowRoute(routes: DashboardRoutes, { store, directory }: ShadowRouteOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/shadow',
    minRole: 'member',
    async handle({ account, query, now }): Promise<ShadowReport> {
      const period = readPeriod(query.period, '7d');
      const span = spanOf(period, now, account.timeZone);
      const progress = await store.indexing();
      const keys = directory.keysOf(account.id);
      const [live, test, readiness] = await Promise.all([
        store.shadowCounts(account.id, { mode: 'live', ...span }),
        store.shadowCounts(account.id, { mode: 'test', ...span }),
        readReadiness({ store }, account, keys, now),
      ]);
      const reports = keys
        .map((key) => ({ key, ...countsOf(key, key.mode === 'live' ? live : test) }))
        .filter(({ key, signups }) => signups > 0 || (isInShadow(key) && key.revokedAt === null))
        .sort((a, b) => Number(isInShadow(b.key)) - Number(isInShadow(a.key)) || b.signups - a.signups)
        .slice(0, MAX_KEYS);
      const stopped = { shadow: true, verdicts: ['challenge', 'block'], ...span } as const;
      return {
        indexing: toIndexBacklog(progress),
        period,
        counted_from: instantOrNull(live.reached ?? test.reached),
        keys: await Promise.all(
          reports.map(async (report) => {
            const search = { ...stopped, keyId: report.key.id };
            const { rows } = await store.findAssessments(account.id, search, null, MAX_LATEST);
            return toKeyReport(report, readiness.get(report.key.id) ?? null, rows);
          }),
        ),
      };
    },
  });
}

interface KeyCounts {
  readonly signups: number;
  readonly counts: readonly ShadowCount[];
  readonly labels: ShadowCounts['labels'];
}

function countsOf({ id }: Key, { counts, labels }: ShadowCounts): KeyCounts {
  const own = counts.filter(({ keyId }) => keyId === id);
  return {
    signups: own.reduce((sum, { count }) => sum + count, 0),
    counts: own,
    labels: labels.filter(({ keyId }) => keyId === id),
  };
}

function toKeyReport(
  { key, counts, labels }: KeyCounts & { readonly key: Key },
  readiness: ShadowReadiness | null,
  latest: readonly HistoryEntry[],
): ShadowKeyReport {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    shadow: isInShadow(key),
    enforced_share: key.enforcedShare,
    revoked: key.revokedAt !== null,
    readiness,
    version: versionOf(keyFacts(key)),
    verdicts: verdictsOf(counts),
    reasons: reasonsOf(counts),
    findings: findingsOf(counts),
    reported: reportsOf(labels),
    latest: latest.map(toAssessmentRow),
  };
}

function findingsOf(counts: readonly ShadowCount[]): ShadowKeyReport['findings'] {
  const byDetector = new Map<string, number>();
  for (const { verdict, finding, count } of counts)
    if (verdict !== 'allow' && finding !== '')
      byDetector.set(finding, (byDetector.get(finding) ?? 0) + count);
  return [...byDetector]
    .map(([detector, count]) => ({ detector, count }))
    .sort((a, b) => b.count - a.count || (a.detector < b.detector ? -1 : 1))
    .slice(0, MAX_REASONS);
}

function reasonsOf(counts: readonly ShadowCount[]): ShadowKeyReport['reasons'] {
  const byCode = new Map<ReasonCode, number>();
  for (const { verdict, reasons, count } of counts) {
    if (verdict === 'allow') continue;
    for (const code of reasons) byCode.set(code, (byCode.get(code) ?? 0) + count);
  }
  return [...byCode]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, MAX_REASONS);
}
