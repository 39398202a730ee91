/** Sees that far more people sign up than usual at this hour of the week, with one key or in the account as a whole, and what they share. */
import type { AlertKind, AlertSighting, SharedFeature, SharedValue } from '../model/alert.ts';
import { SHARED_FEATURES } from '../model/alert.ts';
import { totalOf } from '../store/history-groups.ts';
import type { HistorySearch, HistoryStore, SearchGroup } from '../store/history-store.ts';
import type { Account, Key } from '../store/store.ts';
import { type CommonValue, commonValue, MAX_SHARED, toShared, type ValueCount } from './shared-values.ts';
import { DAY_MS, HOUR_MS, limitOf, MIN_COUNT, STEP_MS, usualStep, WEEK_MS, WEEKS } from './unusual.ts';

/** An account at a moment, with what is known of its alerts. */
export interface WatchedAccount {
  readonly account: Account;
  readonly keys: readonly Key[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Count of an open alert; `undefined`: none is open. */
  readonly openCount: (kind: AlertKind, subject: string) => number | undefined;
  /** Whether one of a kind is open, or was within the last hours. */
  readonly hadLately: (kind: AlertKind) => boolean;
}

export type Watch = (watched: WatchedAccount) => Promise<readonly AlertSighting[]>;

export interface WatchSignupsOptions {
  readonly store: Pick<HistoryStore, 'countGroups' | 'dayCounts' | 'findAssessments'>;
  /** Whether strangers share a domain, such as that of a large provider. */
  readonly isCrowded: (domain: string) => boolean;
}

/** Subject of the account as a whole. */
export const WHOLE_ACCOUNT = '';
/** Two steps together must be twice as far above: both are, or one is so much that it does for both. */
const STEPS = 2;
/** An alert that is open lasts until two steps together are within the limit of one. */
const STEPS_TO_LAST = 1;
/** A count that is so many times as large as when the values were compared: they are compared again. */
const COMPARE_AGAIN = 2;

interface Subject {
  readonly id: string;
  readonly count: number;
}

export function createWatchSignups({ store, isCrowded }: WatchSignupsOptions): Watch {
  const readUsual = createReadUsual(store);

  async function watchSubject(watched: WatchedAccount, { id, count }: Subject, from: number) {
    const { account, now, openCount } = watched;
    const before = openCount('signups', id);
    if (count <= MIN_COUNT * (before === undefined ? STEPS : STEPS_TO_LAST)) return undefined;
    const usual = await readUsual(watched, id, from);
    if (usual === undefined) return undefined;
    const limit = limitOf(usual);
    if (count <= limit * (before === undefined ? STEPS : STEPS_TO_LAST)) return undefined;
    const isSame = before !== undefined && count < COMPARE_AGAIN * before;
    const search = { mode: 'live', from, to: now, ...(id !== WHOLE_ACCOUNT && { keyId: id }) } as const;
    const { shares, since } = isSame
      ? { shares: null, since: from }
      : await findShared({ store, isCrowded, accountId: account.id }, search);
    const sighting: AlertSighting = {
      accountId: account.id,
      kind: 'signups',
      subject: id,
      since,
      at: now,
      count,
      total: 0,
      usual: usual.count * STEPS,
      shares,
      note: '',
    };
    return sighting;
  }

  return async (watched) => {
    const { account, keys, now } = watched;
    const from = Math.floor(now / STEP_MS) * STEP_MS - STEP_MS;
    const counts = await countBy(store, account.id, { mode: 'live', from, to: now }, 'key');
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const whole = { id: WHOLE_ACCOUNT, count: total };
    const seeWhole = async () =>
      [await watchSubject(watched, whole, from)].filter((seen) => seen !== undefined);
    // One flood has one alert: of its key, or of the account, whichever was first.
    if (watched.openCount('signups', WHOLE_ACCOUNT) !== undefined) return seeWhole();
    const found: AlertSighting[] = [];
    for (const { value, count } of counts) {
      if (value === null || !keys.some(({ id }) => id === value)) continue;
      const sighting = await watchSubject(watched, { id: value, count }, from);
      if (sighting !== undefined) found.push(sighting);
    }
    const isExplained =
      found.length > 0 || keys.some(({ id }) => watched.openCount('signups', id) !== undefined);
    return isExplained || counts.length < 2 ? found : seeWhole();
  };
}

interface SharedScope {
  readonly store: Pick<HistoryStore, 'countGroups'>;
  readonly isCrowded: (domain: string) => boolean;
  readonly accountId: string;
}

/** Values that the signups of a search share, and those of the week before do not, with the time of the first signup. */
export async function findShared(
  { store, isCrowded, accountId }: SharedScope,
  search: HistorySearch & { readonly from: number },
): Promise<{ readonly shares: readonly SharedValue[]; readonly since: number }> {
  const week: HistorySearch = { ...search, from: search.from - WEEK_MS, to: search.from };
  const { verdicts: _, ...before } = week;
  const shares: SharedValue[] = [];
  let since = search.from;
  for (const feature of SHARED_FEATURES) {
    if (shares.length === MAX_SHARED) break;
    const common = commonValue(feature, await countBy(store, accountId, search, feature));
    if (common === undefined || isNoNews(feature, common, isCrowded)) continue;
    const shared = toShared(feature, common, await countBy(store, accountId, before, feature));
    if (shared === undefined) continue;
    if (shares.length === 0) since = common.oldestAt;
    shares.push(shared);
  }
  return { shares, since };
}

function isNoNews(
  feature: SharedFeature,
  { value }: CommonValue,
  isCrowded: (domain: string) => boolean,
): boolean {
  return feature === 'domain' && isCrowded(value);
}

async function countBy(
  store: Pick<HistoryStore, 'countGroups'>,
  accountId: string,
  search: HistorySearch,
  by: SharedFeature | 'key',
): Promise<ValueCount[]> {
  const { groups } = await store.countGroups(accountId, search, by);
  return groups.map((group: SearchGroup) => ({
    value: group.value,
    count: totalOf(group),
    oldestAt: group.oldestAt,
  }));
}

/** Hours whose counts are remembered: a few for each account that has many signups now. */
const MAX_HOURS = 4_000;

/** Counts by key of hours that are over, read when somebody may be far above them. */
function createReadUsual(store: WatchSignupsOptions['store']) {
  const hours = new Map<string, Promise<ReadonlyMap<string, number>>>();

  async function readHour(accountId: string, from: number): Promise<ReadonlyMap<string, number>> {
    const search = { mode: 'live', from, to: from + HOUR_MS } as const;
    const { groups, reached } = await store.countGroups(accountId, search, 'key');
    // The newest part stands for an hour with too many to read.
    const scale = reached === null ? 1 : HOUR_MS / Math.max(1, search.to - reached);
    return new Map(groups.map((group) => [group.value ?? '', totalOf(group) * scale]));
  }

  function hourOf(accountId: string, from: number): Promise<ReadonlyMap<string, number>> {
    const name = `${accountId} ${from}`;
    const known = hours.get(name);
    if (known !== undefined) return known;
    const reading = readHour(accountId, from);
    hours.set(name, reading);
    reading.catch(() => hours.delete(name));
    for (const oldest of hours.keys()) if (hours.size > MAX_HOURS) hours.delete(oldest);
    return reading;
  }

  /** `undefined`: there is less than a week of data. */
  return async ({ account, keys, now }: WatchedAccount, subject: string, from: number) => {
    const weekAgo = now - WEEK_MS;
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    const [first] = await store.dayCounts(account.id, today - WEEKS * WEEK_MS - DAY_MS, today);
    const firstAt = first === undefined ? now : Date.parse(first.day);
    const createdAt = keys.find(({ id }) => id === subject)?.createdAt ?? 0;
    if (firstAt > weekAgo || createdAt > weekAgo) return undefined;
    if (subject !== WHOLE_ACCOUNT) {
      const old = { mode: 'live', keyId: subject, to: weekAgo } as const;
      const { rows } = await store.findAssessments(account.id, old, null, 1);
      if (rows.length === 0) return undefined;
    }
    const hour = Math.floor(from / HOUR_MS) * HOUR_MS;
    const samples = [-HOUR_MS, 0, HOUR_MS].map(async (beside) => {
      const starts = Array.from({ length: WEEKS }, (_, week) => hour + beside - (week + 1) * WEEK_MS);
      const counted = starts.filter((start) => start >= firstAt && start >= createdAt);
      return Promise.all(
        counted.map(async (start) => {
          const counts = await hourOf(account.id, start);
          if (subject !== WHOLE_ACCOUNT) return counts.get(subject) ?? 0;
          return [...counts.values()].reduce((sum, count) => sum + count, 0);
        }),
      );
    });
    return usualStep(await Promise.all(samples));
  };
}
