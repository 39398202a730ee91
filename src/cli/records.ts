/** Opens the store for one command, finds records by id, and shows them with the names of the command line. */
import { limitsOf } from '../accounts/plans.ts';
import { openStorage, type Storage } from '../app-storage.ts';
import { readConfig } from '../config.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { Account, Key, Store } from '../store/store.ts';
import { requireInstallation } from './require-installation.ts';

/**
 * Runs `work` with the installation's store and the way it hashes addresses, beside a running service or without one.
 * @param absent what to do if there is no installation. By default none is made: the folder may be the wrong one
 */
export async function withStore<T>(
  work: (store: Store, fingerprint: Storage['fingerprint']) => Promise<T>,
  absent: 'refuse' | 'make' = 'refuse',
): Promise<T> {
  const config = readConfig();
  if (absent === 'refuse') requireInstallation(config);
  const { store, fingerprint } = await openStorage(config, { create: absent === 'make' });
  try {
    return await work(store, fingerprint);
  } finally {
    await store.close();
  }
}

/** @throws when there is no such account */
export async function findAccount(store: Store, id: string): Promise<Account> {
  const { accounts } = await store.changesSince(0);
  const account = accounts.find((candidate) => candidate.id === id);
  if (account === undefined) throw new Error(`no account ${id}; \`gatehouse account list\` shows them`);
  return account;
}

/** @throws when there is no such key */
export async function findKey(store: Store, id: string): Promise<Key> {
  const { keys } = await store.changesSince(0);
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new Error(`no key ${id}; \`gatehouse key list --account ID\` shows them`);
  return key;
}

export function showAccount(account: Account) {
  const limits = limitsOf(account);
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    monthly_quota: limits.monthlyAssessments,
    rps: limits.requestsPerSecond,
    overage: account.overage,
    challenge: account.thresholds?.challenge ?? null,
    block: account.thresholds?.block ?? null,
    created_at: toTimestamp(account.createdAt),
  };
}

export function showKey(key: Key) {
  const time = (at: number | null) => (at === null ? null : toTimestamp(at));
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    challenge: key.thresholds?.challenge ?? null,
    block: key.thresholds?.block ?? null,
    created_at: time(key.createdAt),
    last_used_at: time(key.lastUsedAt),
    revoked_at: time(key.revokedAt),
  };
}
