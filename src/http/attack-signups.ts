/** Finds the signups of an attack, a wave or an alert, and lets searches name it. */
import type { Alert } from '../model/alert.ts';
import type { Campaign } from '../model/campaign.ts';
import type { KeyMode } from '../model/key-mode.ts';
import { MAX_RECALLED } from '../signup/recall/recall-run.ts';
import { findWaveMembers, MAX_MEMBERS, type WaveMembers } from '../signup/wave-members.ts';
import type { AlertStore } from '../store/alert-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryEntry, HistoryPosition, HistorySearch, HistoryStore } from '../store/history-store.ts';
import type { OutcomeStore } from '../store/outcome-store.ts';
import type { RecallFilter, RecallStore } from '../store/recall-store.ts';
import type { Account } from '../store/store.ts';
import { filterOf } from './dashboard-alerts.ts';
import { readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';

/** An attack and its signups. */
export interface Attack extends WaveMembers {
  readonly id: string;
  /** Either of the two. */
  readonly campaign: Campaign | null;
  readonly alert: Alert | null;
}

export interface AttackSignups {
  /** `undefined`: the account has no such wave, and no such alert that is about signups. */
  find(
    account: Pick<Account, 'id' | 'timeZone'>,
    id: string,
    options?: { readonly isFresh?: boolean },
  ): Promise<Attack | undefined>;
}

export interface AttackSignupsOptions {
  readonly store: Pick<HistoryStore, 'replayableAssessments' | 'findAssessments'> &
    Pick<OutcomeStore, 'signupsWithOutcomes'> &
    Pick<CampaignStore, 'findCampaign'> &
    Pick<AlertStore, 'findAlert'>;
  readonly readers: SearchReaders;
  readonly clock: () => number;
}

const PER_PAGE = 500;
/** Pages of a list ask for the same attack one after the other. */
const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 16;

export function createAttackSignups({ store, readers, clock }: AttackSignupsOptions): AttackSignups {
  const remembered = new Map<string, { readonly until: number; readonly members: Promise<WaveMembers> }>();

  function remember(key: string, isFresh: boolean, find: () => Promise<WaveMembers>): Promise<WaveMembers> {
    const now = clock();
    const known = remembered.get(key);
    if (!isFresh && known !== undefined && known.until > now) return known.members;
    const members = find();
    remembered.delete(key);
    remembered.set(key, { until: now + REMEMBERED_MS, members });
    members.catch(() => remembered.delete(key));
    for (const oldest of remembered.keys()) if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest);
    return members;
  }

  async function signupsOf(account: Pick<Account, 'id' | 'timeZone'>, alert: Alert): Promise<WaveMembers> {
    const { mode: _, ...filter } = filterOf(alert) ?? {};
    const clockOf = { now: clock(), timeZone: account.timeZone };
    const search = await withOutcomes(store, account.id, {
      ...readLogFilter(filter as Record<string, string>, readers, clockOf),
      mode: 'live' as const,
    });
    const rows: HistoryEntry[] = [];
    let after: HistoryPosition | null = null;
    do {
      const page = await store.findAssessments(account.id, search, after, PER_PAGE);
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null && rows.length < MAX_MEMBERS);
    return { rows, partial: after !== null };
  }

  return {
    async find(account, id, { isFresh = false } = {}) {
      const campaign = (await store.findCampaign(account.id, id)) ?? null;
      const alert = campaign === null ? ((await store.findAlert(account.id, id)) ?? null) : null;
      if (campaign !== null) {
        const { lastAt, members, state } = campaign;
        const key = `${account.id} ${id} ${lastAt} ${members} ${state}`;
        return {
          id,
          campaign,
          alert,
          ...(await remember(key, isFresh, () => findWaveMembers(store, campaign))),
        };
      }
      if (alert === null || filterOf(alert) === null) return undefined;
      const key = `${account.id} ${id} ${alert.seenAt}`;
      return { id, campaign, alert, ...(await remember(key, isFresh, () => signupsOf(account, alert))) };
    },
  };
}

/** Part of the history that lists and counts read. */
type Searching = Pick<
  HistoryStore,
  'findAssessments' | 'countVerdicts' | 'countGroups' | 'exportAssessments'
> &
  Pick<OutcomeStore, 'signupsWithOutcomes'> &
  Pick<RecallStore, 'recalledSignups'>;

/** The same history, in which a search may name an attack, or what a recall found: it finds the signups of it. */
export function withAttacks<Store extends Searching>(store: Store, attacks: AttackSignups): Store {
  async function named(accountId: string, search: HistorySearch): Promise<HistorySearch> {
    const { attack, recalled, ...rest } = await withOutcomes(store, accountId, search);
    const sets = await Promise.all([
      attack === undefined ? undefined : idsOfAttack(accountId, attack),
      recalled === undefined ? undefined : idsOfRecall(accountId, recalled),
    ]);
    return sets.reduce<HistorySearch>(among, rest);
  }

  async function idsOfAttack(id: string, attack: string): Promise<string[]> {
    const found = await attacks.find({ id, timeZone: 'UTC' }, attack);
    return found === undefined ? [] : found.rows.map(({ requestId }) => requestId);
  }

  async function idsOfRecall(accountId: string, filter: RecallFilter): Promise<string[]> {
    const found = await store.recalledSignups(accountId, filter, MAX_RECALLED);
    return found.map(({ requestId }) => requestId);
  }

  return {
    ...store,
    findAssessments: async (accountId: string, search: HistorySearch, ...rest: Rest<'findAssessments'>) =>
      store.findAssessments(accountId, await named(accountId, search), ...rest),
    countVerdicts: async (accountId: string, search: HistorySearch) =>
      store.countVerdicts(accountId, await named(accountId, search)),
    countGroups: async (accountId: string, search: HistorySearch, ...rest: Rest<'countGroups'>) =>
      store.countGroups(accountId, await named(accountId, search), ...rest),
    async *exportAssessments(accountId: string, search: HistorySearch) {
      yield* store.exportAssessments(accountId, await named(accountId, search));
    },
  };
}

const KEY_MODES: readonly KeyMode[] = ['live', 'test'];
/** Max. outcomes that a filter reads, of each mode. */
const MAX_OUTCOMES = 5_000;

/** The same search without its outcomes: it names the newest signups that have one. */
async function withOutcomes(
  store: Pick<OutcomeStore, 'signupsWithOutcomes'>,
  accountId: string,
  { outcomes, ...search }: HistorySearch,
): Promise<HistorySearch> {
  if (outcomes === undefined) return search;
  const { mode, from = 0, to = Number.MAX_SAFE_INTEGER } = search;
  const modes = mode === undefined ? KEY_MODES : [mode];
  const found = await Promise.all(
    modes.map((each) =>
      store.signupsWithOutcomes(accountId, { mode: each, outcomes, from, to }, MAX_OUTCOMES),
    ),
  );
  return among(search, found.flat());
}

/** The search among these signups alone, and among those that it names already. */
function among(search: HistorySearch, ids: readonly string[] | undefined): HistorySearch {
  if (ids === undefined) return search;
  const { any: named = [], not = [] } = search.where?.requestId ?? {};
  const known = new Set(named);
  const any = named.length === 0 ? ids : ids.filter((id) => known.has(id));
  // No id of a signup is empty: then nothing is found.
  return { ...search, where: { ...search.where, requestId: { any: any.length === 0 ? [''] : any, not } } };
}

type Rest<Name extends 'findAssessments' | 'countGroups'> =
  Parameters<Searching[Name]> extends [string, HistorySearch, ...infer Others] ? Others : never;
