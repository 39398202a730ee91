/** GET …/assessments/summary and …/assessments/groups: how many signups a filter finds, over time and by property. */
import type {
  SignupCounts,
  SignupGroup,
  SignupGroups,
  SignupSplit,
  SignupSummary,
} from '../contract/dashboard-signup-counts.ts';
import { GROUPINGS, type Grouping } from '../contract/dashboard-signup-counts.ts';
import { labelOfDetector } from '../contract/detectors.ts';
import { createWallClock } from '../model/time-zone.ts';
import { countryName } from '../platform/country-names.ts';
import { HOUR_MS, MINUTE_MS, totalOf } from '../store/history-groups.ts';
import type { HistorySearch, HistoryStore, SearchGroup } from '../store/history-store.ts';
import { instantOrNull, toAssessmentRow, toIndexBacklog, toInstant } from './dashboard-history.ts';
import { type AccountClock, readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';
import type { IntelligenceService } from './dashboard-intelligence-service.ts';
import { DAY_MS } from './dashboard-periods.ts';
import type { AccountCall, DashboardRoutes } from './dashboard-route.ts';
import { groupFilter, othersFilter } from './dashboard-signup-group-filter.ts';
import { oneOf } from './dashboard-values.ts';
import { createWorkPlaces, goneSignal } from './dashboard-work-places.ts';

export interface SignupCountsOptions {
  readonly store: Pick<HistoryStore, 'indexing' | 'countGroups' | 'findAssessments'>;
  readonly readers: SearchReaders;
  readonly intelligence: Pick<IntelligenceService, 'asName'>;
}

type Call = AccountCall<undefined>;

const PLACES = { what: 'counts of signups', perAccount: 8, inAll: 24, retryAfterSeconds: 2 };
const MAX_GROUPS = 20;
const MAX_BUCKETS = 96;
const BUCKETS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 8].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
];

export function signupCountsRoutes(routes: DashboardRoutes, options: SignupCountsOptions): void {
  const { store, readers } = options;
  const places = createWorkPlaces(PLACES);

  /** Counts what the filter of a call finds, as long as somebody waits for it. */
  async function count({ account, context }: Call, search: HistorySearch, by: Grouping | 'minute') {
    const leave = places.enter(account.id);
    try {
      const indexing = toIndexBacklog(await store.indexing(search.to));
      const counted = await store.countGroups(account.id, search, by, goneSignal(context));
      return { ...counted, indexing };
    } finally {
      leave();
    }
  }

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments/summary',
    minRole: 'member',
    async handle(call): Promise<SignupSummary> {
      const clock = clockOf(call);
      const search = readLogFilter(call.query, readers, clock);
      const counted = await count(call, search, 'minute');
      return { ...countsOf(counted), ...bucketsOf(counted, search, clock) };
    },
  });

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/assessments/groups',
    minRole: 'member',
    async handle(call): Promise<SignupGroups> {
      const { by: name, ...filter } = call.query;
      const by = oneOf(GROUPINGS, 'by', name);
      const search = readLogFilter(filter, readers, clockOf(call));
      const counted = await count(call, search, by);
      const largest = counted.groups.slice(0, MAX_GROUPS);
      const rest = counted.groups.slice(MAX_GROUPS);
      const values = largest.map((group) => valueOfGroup(by, group));
      const labels = await Promise.all(largest.map((group) => labelOf(options, call, by, group)));
      return {
        by,
        ...countsOf(counted),
        groups: largest.map(
          (group, index): SignupGroup => ({
            value: values[index] ?? null,
            label: labels[index] as string,
            ...splitOf([group]),
            first_at: toInstant(group.oldestAt),
            last_at: toInstant(group.newestAt),
            filter: groupFilter({ by, filter, readers, search }, values[index] ?? null),
          }),
        ),
        others:
          rest.length === 0
            ? null
            : {
                ...splitOf(rest),
                groups: rest.length,
                filter: othersFilter({ by, filter, readers, search }, values),
              },
      };
    },
  });
}

interface Counted {
  readonly groups: readonly SearchGroup[];
  readonly reached: number | null;
  readonly indexing: SignupCounts['indexing'];
}

function countsOf({ groups, reached, indexing }: Counted): SignupCounts {
  return { ...splitOf(groups), counted_from: instantOrNull(reached), indexing };
}

function splitOf(groups: readonly Pick<SearchGroup, 'verdicts' | 'observed'>[]): SignupSplit {
  const split = { total: 0, allow: 0, challenge: 0, block: 0, observed: { challenge: 0, block: 0 } };
  for (const { verdicts, observed } of groups) {
    split.total += totalOf({ verdicts });
    split.allow += verdicts.allow;
    for (const verdict of ['challenge', 'block'] as const) {
      split[verdict] += verdicts[verdict] - observed[verdict];
      split.observed[verdict] += observed[verdict];
    }
  }
  return split;
}

function clockOf({ account, now }: Call): AccountClock {
  return { now, timeZone: account.timeZone };
}

/** Puts counts of minutes into buckets that are as long as the span needs. */
function bucketsOf(
  { groups, reached }: Counted,
  search: HistorySearch,
  clock: AccountClock,
): Pick<SignupSummary, 'bucket_ms' | 'buckets' | 'until'> {
  const { now } = clock;
  const minutes = groups
    .map((group) => ({ ...group, at: Number(group.value) * MINUTE_MS }))
    .sort((a, b) => a.at - b.at);
  const [oldest, newest] = [minutes[0]?.at, minutes.at(-1)?.at];
  if (oldest === undefined || newest === undefined)
    return { bucket_ms: MINUTE_MS, buckets: [], until: toInstant(now) };
  // Signups that were not read must not look like a gap. Only another clock can make a signup later than now.
  const from = Math.min(oldest, Math.max(search.from ?? oldest, reached ?? 0));
  const to = Math.max(Math.min(search.to ?? now, now), newest + 1);
  const bucketMs =
    BUCKETS_MS.find((length) => (to - from) / length < MAX_BUCKETS - 1) ?? (BUCKETS_MS.at(-1) as number);
  const edges = edgesOf({ from, to, bucketMs, timeZone: clock.timeZone });
  let next = 0;
  const buckets = edges.slice(0, -1).map((start, index) => {
    const own: CountedMinute[] = [];
    const end = edges[index + 1] as number;
    for (let minute = minutes[next]; minute !== undefined && minute.at < end; minute = minutes[next]) {
      own.push(minute);
      next += 1;
    }
    return { at: toInstant(start), ...splitOf(own) };
  });
  return { bucket_ms: bucketMs, buckets, until: toInstant(edges.at(-1) as number) };
}

interface CountedMinute extends SearchGroup {
  readonly at: number;
}

/** Starts of the buckets, and the end of the last: days and weeks begin by the account's clock, hours and minutes with it. */
function edgesOf(span: { from: number; to: number; bucketMs: number; timeZone: string }): number[] {
  const { from, to, bucketMs } = span;
  const clock = createWallClock(span.timeZone);
  const offsetMs = clock.wallOf(to) - to;
  const edgeAt = (index: number) =>
    bucketMs < DAY_MS ? index * bucketMs - offsetMs : clock.instantOf(index * bucketMs);
  let index = Math.floor((from + offsetMs) / bucketMs) - 1;
  while (edgeAt(index + 1) <= from) index += 1;
  const edges = [edgeAt(index)];
  while ((edges.at(-1) as number) < to) {
    index += 1;
    edges.push(edgeAt(index));
  }
  return edges;
}

/** The value as a filter and people have it. */
function valueOfGroup(by: Grouping, { value }: SearchGroup): string | null {
  if (value === null) return null;
  if (by === 'network') return `AS${value}`;
  return by === 'hour' ? toInstant(Number(value) * HOUR_MS) : value;
}

const WITHOUT: { readonly [By in Grouping]?: string } = {
  range: 'No IP',
  network: 'Unknown network',
  session: 'No session',
  country: 'Unknown country',
  finding: 'No main finding',
  mail_host: 'No mail host known',
};

async function labelOf(
  { store, intelligence }: SignupCountsOptions,
  { account }: Call,
  by: Grouping,
  group: SearchGroup,
): Promise<string> {
  const { value, newestAt } = group;
  if (value === null) return WITHOUT[by] ?? 'None';
  if (by === 'network') return `AS${value} ${intelligence.asName(Number(value))}`.trim();
  if (by === 'country') return countryName(value) || value;
  if (by === 'finding') return labelOfDetector(value);
  if (by !== 'mailbox' && by !== 'key') return valueOfGroup(by, group) as string;
  // The newest of them has the words: a masked address, the name of a key.
  const search = by === 'key' ? { keyId: value } : { mailbox: value };
  const { rows } = await store.findAssessments(
    account.id,
    { ...search, from: newestAt, to: newestAt + 1 },
    null,
    1,
  );
  const [row] = rows.map(toAssessmentRow);
  return (by === 'key' ? row?.key_name : row?.email) || value;
}
