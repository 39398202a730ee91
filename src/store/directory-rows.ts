/** Accounts and keys as both databases keep them: the columns, and how rows are written and read. */
import type { PlanName } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Thresholds } from '../model/policy.ts';
import type { Account, AccountChanges, Key, KeyChanges } from './store.ts';

export type DirectoryRow = Record<string, string | number | boolean | null>;

export const ACCOUNT_COLUMNS = [
  'id',
  'name',
  'plan',
  'overage',
  'monthly_quota',
  'requests_per_second',
  'challenge',
  'block',
  'created_at',
] as const;

export const KEY_COLUMNS = [
  'id',
  'account_id',
  'name',
  'mode',
  'hash',
  'prefix',
  'challenge',
  'block',
  'created_at',
  'last_used_at',
  'revoked_at',
] as const;

/** In the order of `ACCOUNT_COLUMNS`. */
export function accountValues(account: Account): (string | number | null)[] {
  return [
    account.id,
    account.name,
    account.plan,
    account.overage ? 1 : 0,
    account.monthlyQuota,
    account.requestsPerSecond,
    account.thresholds?.challenge ?? null,
    account.thresholds?.block ?? null,
    account.createdAt,
  ];
}

/** In the order of `KEY_COLUMNS`. */
export function keyValues(key: Key): (string | number | null)[] {
  return [
    key.id,
    key.accountId,
    key.name,
    key.mode,
    key.hash,
    key.prefix,
    key.thresholds?.challenge ?? null,
    key.thresholds?.block ?? null,
    key.createdAt,
    key.lastUsedAt,
    key.revokedAt,
  ];
}

/** The columns that a change names, with what they are to hold. */
export function changedColumns(changes: AccountChanges & KeyChanges): [string, string | number | null][] {
  const { thresholds, overage } = changes;
  const named = {
    name: changes.name,
    plan: changes.plan,
    overage: overage === undefined ? undefined : Number(overage),
    monthly_quota: changes.monthlyQuota,
    requests_per_second: changes.requestsPerSecond,
    challenge: thresholds === null ? null : thresholds?.challenge,
    block: thresholds === null ? null : thresholds?.block,
    revoked_at: changes.revokedAt,
  };
  return Object.entries(named).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]));
}

export function toAccount(row: DirectoryRow): Account {
  return {
    id: row.id as string,
    name: row.name as string,
    plan: row.plan as PlanName,
    overage: Boolean(row.overage),
    monthlyQuota: row.monthly_quota as number | null,
    requestsPerSecond: row.requests_per_second as number | null,
    thresholds: toThresholds(row),
    createdAt: row.created_at as number,
  };
}

export function toKey(row: DirectoryRow): Key {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    name: row.name as string,
    mode: row.mode as KeyMode,
    hash: row.hash as string,
    prefix: row.prefix as string,
    thresholds: toThresholds(row),
    createdAt: row.created_at as number,
    lastUsedAt: row.last_used_at as number | null,
    revokedAt: row.revoked_at as number | null,
  };
}

function toThresholds({ challenge, block }: DirectoryRow): Thresholds | null {
  if (challenge === null || block === null) return null;
  return { challenge: challenge as number, block: block as number };
}
