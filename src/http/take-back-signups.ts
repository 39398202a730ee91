/** Finds the signups whose accounts are to be taken back: those of a filter, or chosen ones, that were let in. */
import type { TakeBackChoice } from '../contract/dashboard-take-back.ts';
import { MAX_CHOSEN_IDS } from '../contract/dashboard-take-back.ts';
import { MAX_TAKE_BACK_ACCOUNTS } from '../model/take-back.ts';
import { parseInstant } from '../platform/timestamp.ts';
import { reportedAs } from '../signup/label-effect.ts';
import type { HistoryEntry, HistoryPosition, HistorySearch, HistoryStore } from '../store/history-store.ts';
import type { Account } from '../store/store.ts';
import { nameOf } from './attack-card.ts';
import type { AttackSignups } from './attack-signups.ts';
import { readLogFilter, type SearchReaders } from './dashboard-history-filter.ts';
import { unusable } from './dashboard-values.ts';

export interface TakeBackSignupsOptions {
  /** The history in which a search may name an attack. */
  readonly store: Pick<HistoryStore, 'findAssessments'>;
  readonly attacks: AttackSignups;
  readonly readers: SearchReaders;
}

export interface SignupsToTakeBack {
  readonly rows: readonly HistoryEntry[];
  readonly partial: boolean;
  /** Signups that somebody reported as good customers. */
  readonly good: readonly HistoryEntry[];
  /** Words for people. */
  readonly name: string;
  /** Wave or alert. */
  readonly attack: string | null;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export type FindSignupsToTakeBack = (
  account: Pick<Account, 'id' | 'timeZone'>,
  choice: TakeBackChoice,
  now: number,
) => Promise<SignupsToTakeBack>;

const PER_PAGE = 500;
const MAX_NAME_LENGTH = 200;

export function createFindSignups({
  store,
  attacks,
  readers,
}: TakeBackSignupsOptions): FindSignupsToTakeBack {
  async function findAll(accountId: string, search: HistorySearch) {
    const rows: HistoryEntry[] = [];
    let after: HistoryPosition | null = null;
    do {
      const page = await store.findAssessments(accountId, search, after, PER_PAGE);
      rows.push(...page.rows);
      after = page.next;
    } while (after !== null && rows.length < MAX_TAKE_BACK_ACCOUNTS);
    const partial = after !== null || rows.length > MAX_TAKE_BACK_ACCOUNTS;
    return { rows: rows.slice(0, MAX_TAKE_BACK_ACCOUNTS), partial };
  }

  return async (account, choice, now) => {
    const until = readUntil(choice, now);
    const { filter, request_ids: ids, include_good: withGood = false } = choice;
    const chosen =
      filter === undefined
        ? idsSearch(ids)
        : readLogFilter(filter, readers, { now, timeZone: account.timeZone });
    const to = Math.min(chosen.to ?? Number.POSITIVE_INFINITY, until + 1);
    const { rows, partial } = await findAll(account.id, { ...chosen, mode: 'live', letIn: true, to });
    const good = rows.filter(({ feedback }) => reportedAs(feedback) === 'good');
    const attack = chosen.attack ?? null;
    return {
      rows: withGood ? rows : rows.filter((row) => !good.includes(row)),
      partial,
      good,
      attack,
      name: (await nameChoice(account, choice, attack)).slice(0, MAX_NAME_LENGTH),
      until,
    };
  };

  async function nameChoice(
    account: Pick<Account, 'id' | 'timeZone'>,
    { filter, request_ids: ids }: TakeBackChoice,
    id: string | null,
  ): Promise<string> {
    const attack = id === null ? undefined : await attacks.find(account, id);
    if (attack !== undefined) return nameOf(attack);
    if (filter === undefined) return `${ids?.length ?? 0} chosen signups`;
    const words = Object.entries(filter).filter(([name, value]) => value !== '' && name !== 'mode');
    return words.length === 0 ? 'All signups' : words.map(([name, value]) => `${name} ${value}`).join(', ');
  }
}

/** @throws Problem `invalid_value` */
function idsSearch(ids: readonly string[] = []): HistorySearch {
  const different = [...new Set(ids)];
  if (different.length === 0 || different.length > MAX_CHOSEN_IDS)
    throw unusable(
      'request_ids',
      `\`request_ids\` has ${different.length} ids.`,
      `Send a filter, or 1 to ${MAX_CHOSEN_IDS} ids of signups.`,
    );
  return { where: { requestId: { any: different, not: [] } } };
}

/** @throws Problem `invalid_value` */
function readUntil({ until }: TakeBackChoice, now: number): number {
  if (until === undefined) return now;
  const at = parseInstant(until);
  if (at === undefined) throw unusable('until', '`until` is no instant.', 'Send the `until` of the preview.');
  return Math.min(at, now);
}
