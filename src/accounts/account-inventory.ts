/** The inventory of a deleted account, and its entry in the audit log. */
import type { AccountContents } from '../store/account-deletion-store.ts';
import { hashOfAccount } from '../store/account-deletion-store.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { HistoryStore } from '../store/history-store.ts';

/** Contents of an account. */
export interface AccountInventory extends AccountContents {
  /** Live and sandbox ones that are stored, as far as they are indexed. */
  readonly assessments: number;
}

const DAY_MS = 86_400_000;
const HASH_CHARACTERS = 16;
const WORDS: Readonly<Record<keyof AccountInventory, string>> = {
  assessments: 'assessments',
  feedback: 'reports',
  challenges: 'challenges',
  keys: 'keys',
  hooks: 'hooks',
  tokens: 'tokens',
  listEntries: 'list entries',
  campaigns: 'campaigns',
  policies: 'policies',
  members: 'members',
  users: 'of them deleted',
  invitations: 'invitations',
  auditEntries: 'audit entries',
  credits: 'credits',
};

/** @param now milliseconds since the epoch */
export async function takeInventory(
  store: Pick<DashboardStore, 'accountContents'> & Pick<HistoryStore, 'dayCounts'>,
  accountId: string,
  now: number,
): Promise<AccountInventory> {
  const tomorrow = (Math.floor(now / DAY_MS) + 2) * DAY_MS;
  const days = await store.dayCounts(accountId, 0, tomorrow);
  const assessments = days.reduce((sum, { live, test }) => sum + live + test, 0);
  return { assessments, ...(await store.accountContents(accountId)) };
}

/** The target and the detail of the audit entry that stays: it names no person, and the account by a hash of its id. */
export function describeDeletion(
  accountId: string,
  inventory: AccountInventory,
): readonly [target: string, detail: string] {
  const parts = Object.entries(WORDS).map(
    ([name, words]) => `${inventory[name as keyof AccountInventory]} ${words}`,
  );
  return [`account ${hashOfAccount(accountId).slice(0, HASH_CHARACTERS)}`, parts.join(', ')];
}
