/** GET …/overview: signups of a period, usage of the month, age of the intelligence; GET …/first-steps: a checklist. */
import type { Directory } from '../accounts/directory.ts';
import type { AnswerCounts, FirstSteps, Overview } from '../contract/dashboard-account.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { monthOf } from '../platform/month.ts';
import { addUpAnswers } from '../store/answer-counts.ts';
import type { PeopleStore } from '../store/dashboard-store.ts';
import { stillIndexing } from '../store/history-problems.ts';
import {
  type HistoryEntry,
  type HistoryStore,
  type ShadowCounts,
  SLOT_MS,
  type Traffic,
  type TrafficSpan,
} from '../store/history-store.ts';
import type { Account, AssessmentStore, Key } from '../store/store.ts';
import {
  DASHBOARD_KEY,
  instantOrNull,
  toAssessmentRow,
  toIndexBacklog,
  toInstant,
  toNamedSignup,
} from './dashboard-history.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { isOpen } from './dashboard-people.ts';
import { DAY_MS, earlierSpan, edgesOf, readPeriod, type Span, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { verdictsOf } from './dashboard-shadow.ts';
import { monthSoFar } from './dashboard-usage.ts';
import { readMode } from './dashboard-values.ts';

export interface OverviewOptions {
  readonly store: Pick<
    HistoryStore,
    | 'indexing'
    | 'traffic'
    | 'countVerdicts'
    | 'shadowCounts'
    | 'challengeCounts'
    | 'findAssessments'
    | 'dayCounts'
  > &
    Pick<AssessmentStore, 'creditsUsed'>;
  readonly intelligence: IntelligenceService;
  readonly directory: Pick<Directory, 'keysOf'>;
}

const RECENT = 8;
const MAX_OBSERVED_KEYS = 5;

export function overviewRoute(
  routes: DashboardRoutes,
  { store, intelligence, directory }: OverviewOptions,
): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/overview',
    minRole: 'member',
    async handle({ account, query, now }): Promise<Overview> {
      const mode = readMode(query.mode, 'live');
      const period = readPeriod(query.period, '24h');
      const span = spanOf(period, now, account.timeZone);
      const { from, to } = span;
      const stopped = { mode, shadow: false, from, to, verdicts: ['challenge', 'block'] as const };
      const progress = await store.indexing();
      const [traffic, observed, challenges, latest, recent, used] = await Promise.all([
        store.traffic(account.id, { mode, from, to }),
        store.shadowCounts(account.id, { mode, from, to }),
        store.challengeCounts(account.id, { mode, from, to }),
        newestAt(store, { accountId: account.id, mode, before: now + DAY_MS }),
        store.findAssessments(account.id, stopped, null, RECENT),
        store.creditsUsed(account.id, monthOf(now)),
      ]);
      // Nothing is found yet: older assessments may exist.
      if (latest === undefined && progress !== null) throw stillIndexing(progress);
      const readAt = Math.min(now, traffic.readAt);
      return {
        indexing: toIndexBacklog(progress),
        period,
        as_of: toInstant(readAt),
        series: seriesOf(traffic, edgesOf(period, now, account.timeZone)),
        totals: addUpAnswers(traffic.slots),
        observed_keys: observedKeys(observed, directory.keysOf(account.id)),
        challenges,
        ...(await comparePeriods(store, { accountId: account.id, mode, span, readAt, traffic })),
        latest: instantOrNull(latest),
        reasons: traffic.reasons.map(({ code, count, meanWeight }) => ({
          code,
          count,
          mean_weight: Math.round(meanWeight * 10) / 10,
        })),
        findings: traffic.findings,
        latency: traffic.latency,
        quota: quotaOf(account, used, now),
        intelligence: freshnessOf(intelligence, now),
        recent: recent.rows.map((row) => toNamedSignup(row, intelligence)),
      };
    },
  });
}

interface ComparedPeriod {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly span: Span;
  /** Time at which its traffic was read, milliseconds since the epoch. */
  readonly readAt: number;
  readonly traffic: Traffic;
}

/** Counts as much of the period before as has passed of this one: both to the same instant. */
export async function comparePeriods(
  store: Pick<HistoryStore, 'traffic' | 'countVerdicts' | 'findAssessments' | 'dayCounts'>,
  { accountId, mode, span, readAt, traffic }: ComparedPeriod,
): Promise<Pick<Overview, 'before' | 'compared'>> {
  const earlier = earlierSpan(span, readAt);
  // Read by whole slots, as rollups are, and the rest one by one.
  const lastSlot = Math.floor(earlier.to / SLOT_MS) * SLOT_MS;
  const [reachesBack, whole, rest] = await Promise.all([
    newestAt(store, { accountId, mode, before: earlier.from }),
    store.traffic(accountId, { mode, from: earlier.from, to: lastSlot }),
    answersWithin(store, accountId, { mode, from: lastSlot, to: earlier.to }),
  ]);
  const before = addUpAnswers([...whole.slots, ...(rest === null ? [] : [rest])]);
  const end = rest === null ? lastSlot + (span.from - earlier.from) : span.to;
  const compared = addUpAnswers(traffic.slots.filter(({ at }) => at < end));
  return { before: reachesBack === undefined ? null : before, compared };
}

/** `null`: too many to count one by one. */
async function answersWithin(
  store: Pick<HistoryStore, 'countVerdicts'>,
  accountId: string,
  span: TrafficSpan,
): Promise<AnswerCounts | null> {
  const [answered, observed] = await Promise.all(
    [false, true].map((shadow) => store.countVerdicts(accountId, { ...span, shadow })),
  );
  if (answered === undefined || observed === undefined) return null;
  if (answered.reached !== null || observed.reached !== null) return null;
  const { challenge, block } = observed;
  return { ...answered, allow: answered.allow + observed.allow, observed: { challenge, block } };
}

/** The keys whose signups would have been stopped. */
function observedKeys(
  { counts, reached }: ShadowCounts,
  keys: readonly Pick<Key, 'id' | 'name'>[],
): Overview['observed_keys'] {
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

function seriesOf({ slots }: Traffic, edges: readonly number[]): Overview['series'] {
  return edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1] as number;
    const within = slots.filter((slot) => slot.at >= from && slot.at < to);
    return { at: toInstant(from), to: toInstant(to), ...addUpAnswers(within) };
  });
}

function quotaOf(account: Account, used: number, now: number): Overview['quota'] {
  const { limit, projected, reset_at } = monthSoFar(account, used, now);
  return { used, limit, projected, reset_at };
}

function freshnessOf(intelligence: IntelligenceService, now: number): Overview['intelligence'] {
  const { id, sources } = intelligence.snapshot();
  const feeds = intelligence.feeds();
  const seen = feeds.flatMap(({ seenAt, condition }) =>
    seenAt === null || condition === 'off' ? [] : [seenAt],
  );
  return {
    snapshot: id,
    sources: sources.length,
    stale: feeds.filter(({ condition }) => condition === 'stale').length,
    refused: feeds.filter(({ condition }) => condition === 'refused').length,
    oldest_seconds: seen.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...seen)) / 1000)),
  };
}

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

export interface FirstStepsOptions {
  readonly store: Pick<HistoryStore, 'findAssessments'> &
    Pick<PeopleStore, 'memberships' | 'users' | 'invitations'>;
  readonly directory: Pick<Directory, 'keysOf'>;
}

/** The address in the example request of the first start and of the documents; no real signup has it. */
const EXAMPLE_IP = '203.0.113.7';
/** More signups than a person makes while trying things out. */
const MAX_TRIES = 50;

export function firstStepsRoute(routes: DashboardRoutes, { store, directory }: FirstStepsOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/first-steps',
    minRole: 'member',
    async handle({ account, now }): Promise<FirstSteps> {
      const [live, test, users, memberships, invitations] = await Promise.all([
        store.findAssessments(account.id, { mode: 'live' }, null, MAX_TRIES),
        store.findAssessments(account.id, { mode: 'test' }, null, 1),
        store.users(),
        store.memberships({ accountId: account.id }),
        store.invitations({ accountId: account.id }),
      ]);
      const people = new Set(memberships.map(({ userId }) => userId));
      for (const user of users) if (user.operator) people.add(user.id);
      return {
        latest: { live: rowOf(live.rows[0]), test: rowOf(test.rows[0]) },
        key_used: directory.keysOf(account.id).some(({ lastUsedAt }) => lastUsedAt !== null),
        live_signup: live.rows.some(({ keyId, ip }) => keyId !== DASHBOARD_KEY && ip !== EXAMPLE_IP),
        people: people.size,
        invited: invitations.filter((invitation) => isOpen(invitation, now)).length,
      };
    },
  });
}

function rowOf(row: HistoryEntry | undefined) {
  return row === undefined ? null : toAssessmentRow(row);
}
