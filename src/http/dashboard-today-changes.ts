/** GET …/today/changes: networks, domains and main findings with far more signups than usual in a period. */
import type { ChangedShare, Period, TodayChanges } from '../contract/dashboard-today.ts';
import { labelOfDetector } from '../contract/detectors.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { totalOf } from '../store/history-groups.ts';
import type { HistoryStore, SearchGroups } from '../store/history-store.ts';
import { toInstant } from './dashboard-history.ts';
import type { SearchReaders } from './dashboard-history-filter.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { newestAt } from './dashboard-newest.ts';
import { readPeriod, type Span, spanOf } from './dashboard-periods.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { groupFilter } from './dashboard-signup-group-filter.ts';
import { readMode } from './dashboard-values.ts';
import { createWorkPlaces, goneSignal } from './dashboard-work-places.ts';

export interface TodayChangesOptions {
  readonly store: Pick<HistoryStore, 'traffic' | 'countGroups' | 'findAssessments' | 'dayCounts'>;
  readonly readers: SearchReaders;
  readonly intelligence: Pick<IntelligenceService, 'asName'>;
}

/** Lengths of the time before, in periods: the longest with signups from its start on is what a period is compared with. */
const PERIODS_BEFORE: Readonly<Record<Period, readonly number[]>> = { '24h': [7], '7d': [4, 1], '30d': [1] };
const PLACES = { what: 'comparisons', perAccount: 4, inAll: 12, retryAfterSeconds: 2 };
const MAX_CHANGES = 5;
/** A smaller count, or a smaller growth, says nothing. */
const MIN_COUNT = 20;
const MIN_TIMES = 3;

export function todayChangesRoute(
  routes: DashboardRoutes,
  { store, readers, intelligence }: TodayChangesOptions,
): void {
  const places = createWorkPlaces(PLACES);
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/today/changes',
    minRole: 'member',
    async handle({ account, query, now, context }): Promise<TodayChanges> {
      const mode = readMode(query.mode, 'live');
      const period = readPeriod(query.period, '24h');
      const span = spanOf(period, now, account.timeZone);
      const before = await findSpanBefore(store, { accountId: account.id, mode, period, span });
      if (before === null) return { period, compared_since: null, changes: [] };
      const leave = places.enter(account.id);
      try {
        const spans = { mode, span, before, now };
        const signal = goneSignal(context);
        const counts = await Promise.all([
          countFindings(store, account.id, spans),
          countValues(store, account.id, { ...spans, by: 'network', signal }),
          countValues(store, account.id, { ...spans, by: 'domain', signal }),
        ]);
        const grown = counts.flat().filter(({ count, usual }) => {
          return count >= MIN_COUNT && count >= MIN_TIMES * usual;
        });
        const largest = grown.sort((a, b) => b.count - b.usual - (a.count - a.usual)).slice(0, MAX_CHANGES);
        return {
          period,
          compared_since: toInstant(before.from),
          changes: largest.map((value) => ({
            by: value.by,
            label: labelOf(value, intelligence),
            count: value.count,
            usual: Math.round(value.usual * 10) / 10,
            filter: {
              period,
              ...groupFilter({ by: value.by, filter: {}, readers, search: {} }, writtenOf(value)),
            },
          })),
        };
      } finally {
        leave();
      }
    },
  });
}

interface CountedValue {
  readonly by: ChangedShare['by'];
  readonly value: string;
  readonly count: number;
  readonly usual: number;
}

function writtenOf({ by, value }: CountedValue): string {
  return by === 'network' ? `AS${value}` : value;
}

function labelOf({ by, value }: CountedValue, { asName }: TodayChangesOptions['intelligence']): string {
  if (by === 'network') return `AS${value} ${asName(Number(value))}`.trim();
  return by === 'finding' ? labelOfDetector(value) : value;
}

interface BeforeQuestion {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly period: Period;
  readonly span: Span;
}

async function findSpanBefore(
  store: Pick<HistoryStore, 'findAssessments' | 'dayCounts'>,
  { accountId, mode, period, span }: BeforeQuestion,
): Promise<Span | null> {
  const { from, to } = span;
  for (const count of PERIODS_BEFORE[period]) {
    const start = from - count * (to - from);
    if ((await newestAt(store, { accountId, mode, before: start })) !== undefined)
      return { from: start, to: from };
  }
  return null;
}

interface Spans {
  readonly mode: KeyMode;
  readonly span: Span;
  readonly before: Span;
  readonly now: number;
}

/** The part of what was counted before that is usual for as much of a period as has passed. `countedFrom`: older ones are missing. */
function usualPart({ span, before, now }: Spans, countedFrom = before.from): number {
  const passed = Math.min(now, span.to) - span.from;
  return passed / (before.to - Math.max(before.from, countedFrom));
}

/** Findings are counted in rollups. */
async function countFindings(
  store: Pick<HistoryStore, 'traffic'>,
  accountId: string,
  spans: Spans,
): Promise<CountedValue[]> {
  const { mode, span, before } = spans;
  const [current, past] = await Promise.all([
    store.traffic(accountId, { mode, ...span }),
    store.traffic(accountId, { mode, ...before }),
  ]);
  const earlier = new Map(past.findings.map(({ detector, count }) => [detector, count]));
  const part = usualPart(spans);
  return current.findings
    .filter(({ detector }) => detector !== '')
    .map(({ detector: value, count }) => {
      return { by: 'finding', value, count, usual: (earlier.get(value) ?? 0) * part };
    });
}

async function countValues(
  store: Pick<HistoryStore, 'countGroups'>,
  accountId: string,
  { by, signal, ...spans }: Spans & { readonly by: 'network' | 'domain'; readonly signal: AbortSignal },
): Promise<CountedValue[]> {
  const { mode, span, before } = spans;
  const current = await store.countGroups(accountId, { mode, ...span }, by, signal);
  // The newest of a period are not all of it.
  if (current.reached !== null) return [];
  const past = await store.countGroups(accountId, { mode, ...before }, by, signal);
  const earlier = countsOf(past);
  const part = usualPart(spans, past.reached ?? undefined);
  return [...countsOf(current)].map(([value, count]) => {
    return { by, value, count, usual: (earlier.get(value) ?? 0) * part };
  });
}

function countsOf({ groups }: SearchGroups): ReadonlyMap<string, number> {
  return new Map(
    groups.flatMap((group) => (group.value === null ? [] : [[group.value, totalOf(group)] as const])),
  );
}
