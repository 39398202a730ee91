/** GET …/today: what happened in a period, how sure that is, and whether anything is unusual. */
import type { Directory } from '../accounts/directory.ts';
import type { Today } from '../contract/dashboard-today.ts';
import { OPERATOR_ALERTS } from '../model/alert.ts';
import { reportedAs } from '../signup/label-effect.ts';
import type { AlertStore } from '../store/alert-store.ts';
import { addUpAnswers } from '../store/answer-counts.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import { stillIndexing } from '../store/history-problems.ts';
import type { HistoryStore, LabelCounts, ShadowCounts, Traffic } from '../store/history-store.ts';
import type { Key } from '../store/store.ts';
import { instantOrNull, toIndexBacklog, toInstant } from './dashboard-history.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { newestAt } from './dashboard-newest.ts';
import { DAY_MS, edgesOf, readPeriod, type Span, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { verdictsOf } from './dashboard-shadow-readiness.ts';
import { readMode } from './dashboard-values.ts';

export interface TodayOptions {
  readonly store: Pick<
    HistoryStore,
    | 'indexing'
    | 'traffic'
    | 'labelCounts'
    | 'shadowCounts'
    | 'challengeCounts'
    | 'findAssessments'
    | 'dayCounts'
  > &
    Pick<AlertStore, 'alerts'> &
    Pick<CampaignStore, 'campaigns'>;
  readonly intelligence: IntelligenceService;
  readonly directory: Pick<Directory, 'keysOf'>;
}

const MAX_OBSERVED_KEYS = 5;
/** Newest alerts that are looked through. */
export const MAX_ALERTS = 100;
/** Newest waves that are looked through. */
export const MAX_CAMPAIGNS = 50;
/** Nothing is usual before so many days of signups. */
const USUAL_DAYS = 7;

export function todayRoute(routes: DashboardRoutes, { store, intelligence, directory }: TodayOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/today',
    minRole: 'member',
    async handle({ account, query, now, user }): Promise<Today> {
      const mode = readMode(query.mode, 'live');
      const period = readPeriod(query.period, '24h');
      const span = spanOf(period, now, account.timeZone);
      const { from, to } = span;
      const checkedIn = period === '24h' ? '7d' : period;
      const checkedSpan = spanOf(checkedIn, now, account.timeZone);
      const progress = await store.indexing();
      const [traffic, observed, challenges, latest, labels, unusual] = await Promise.all([
        store.traffic(account.id, { mode, from, to }),
        store.shadowCounts(account.id, { mode, from, to }),
        store.challengeCounts(account.id, { mode, from, to }),
        newestAt(store, { accountId: account.id, mode, before: now + DAY_MS }),
        store.labelCounts(account.id, { mode, ...checkedSpan }),
        mode === 'live'
          ? countUnusual(store, { accountId: account.id, span, now, seesOperatorAlerts: user.operator })
          : null,
      ]);
      // Nothing is found yet: older assessments may exist.
      if (latest === undefined && progress !== null) throw stillIndexing(progress);
      return {
        indexing: toIndexBacklog(progress),
        period,
        since: toInstant(from),
        as_of: toInstant(Math.min(now, traffic.readAt)),
        series: seriesOf(traffic, edgesOf(period, now, account.timeZone)),
        totals: addUpAnswers(traffic.slots),
        observed_keys: observedKeys(observed, directory.keysOf(account.id)),
        challenges,
        checked: { period: checkedIn, ...checkedBlocks(labels) },
        unusual,
        latest: instantOrNull(latest),
        latency: traffic.latency,
        intelligence: freshnessOf(intelligence, now),
      };
    },
  });
}

/** Labels of signups that were answered with *block*. */
function checkedBlocks({
  answered,
}: Pick<LabelCounts, 'answered'>): Pick<Today['checked'], 'good' | 'fraud'> {
  const checked = { good: 0, fraud: 0 };
  for (const { verdict, shadow, label, count } of answered) {
    const side = reportedAs(label);
    if (side !== null && verdict === 'block' && !shadow) checked[side] += count;
  }
  return checked;
}

interface AlertQuestion {
  readonly accountId: string;
  readonly span: Span;
  readonly now: number;
  /** Whether the reader sees those that only an operator can help with. */
  readonly seesOperatorAlerts: boolean;
}

/** Waves of a span, and alerts that were open in it; `null`: there are too few days of signups for anything to be usual. */
async function countUnusual(
  store: Pick<TodayOptions['store'], 'findAssessments' | 'dayCounts' | 'alerts' | 'campaigns'>,
  { accountId, span, now, seesOperatorAlerts }: AlertQuestion,
): Promise<Today['unusual']> {
  const [{ alerts }, { campaigns }, reachesBack] = await Promise.all([
    store.alerts(accountId, { limit: MAX_ALERTS }),
    store.campaigns(accountId, { limit: MAX_CAMPAIGNS }),
    newestAt(store, { accountId, mode: 'live', before: now - USUAL_DAYS * DAY_MS }),
  ]);
  const waves = campaigns.filter(
    ({ decision, lastAt }) => decision !== 'dismissed' && lastAt >= span.from,
  ).length;
  const seen = alerts.filter(({ kind }) => seesOperatorAlerts || !OPERATOR_ALERTS.has(kind));
  const open = seen.filter(({ closedAt }) => closedAt === null).length;
  const over = seen.filter(({ closedAt, seenAt }) => closedAt !== null && seenAt >= span.from).length;
  return reachesBack === undefined && waves + open + over === 0 ? null : { waves, open, over };
}

/** The keys whose signups would have been stopped. */
function observedKeys(
  { counts, reached }: ShadowCounts,
  keys: readonly Pick<Key, 'id' | 'name'>[],
): Today['observed_keys'] {
  if (reached !== null) return [];
  return keys
    .map(({ id, name }) => {
      const { challenge, block } = verdictsOf(counts.filter(({ keyId }) => keyId === id));
      return { id, name, challenge, block };
    })
    .filter(({ challenge, block }) => challenge + block > 0)
    .sort((a, b) => b.challenge + b.block - a.challenge - a.block)
    .slice(0, MAX_OBSERVED_KEYS);
}

function seriesOf({ slots }: Traffic, edges: readonly number[]): Today['series'] {
  return edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1] as number;
    const within = slots.filter((slot) => slot.at >= from && slot.at < to);
    return { at: toInstant(from), to: toInstant(to), ...addUpAnswers(within) };
  });
}

function freshnessOf(intelligence: IntelligenceService, now: number): Today['intelligence'] {
  const feeds = intelligence.feeds();
  const seen = feeds.flatMap(({ seenAt, condition }) =>
    seenAt === null || condition === 'off' ? [] : [seenAt],
  );
  return {
    sources: intelligence.snapshot().sources.length,
    stale: feeds.filter(({ condition }) => condition === 'stale').length,
    refused: feeds.filter(({ condition }) => condition === 'refused').length,
    oldest_seconds: seen.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...seen)) / 1000)),
  };
}
