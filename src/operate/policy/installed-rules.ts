/** Reads what decides about the signups of each account of an installation, as policy files name it. */
import { parseEmail } from '../../address/email.ts';
import type { AddressHashes } from '../../address/fingerprint.ts';
import { isHashedKind, type ListEntry } from '../../model/list-entry.ts';
import type { StoredPolicy } from '../../store/dashboard-store.ts';
import type { RuleVersions } from '../../store/rule-change-store.ts';
import type { Account, Key, Store } from '../../store/store.ts';
import type { FileEntry } from './policy-file.ts';

export interface InstalledAccount {
  readonly account: Account;
  /** Whether another account has its name. */
  readonly hasNamesake: boolean;
  /** Keys that are not revoked. */
  readonly keys: readonly Key[];
  /** `null`: the default weights. */
  readonly policy: StoredPolicy | null;
  /** Entries that have not expired. */
  readonly entries: readonly ListEntry[];
  /** Number of those that have. */
  readonly expired: number;
}

export interface InstalledRules {
  /** Versions that are at most as new as what was read. */
  readonly versions: RuleVersions;
  /** Accounts by name, then by id. */
  readonly accounts: readonly InstalledAccount[];
}

const MAX_TEXT = 200;

/** @param now milliseconds since the epoch @param accountId only this account */
export async function readInstalledRules(
  store: Pick<Store, 'changesSince' | 'listsVersion' | 'listEntries'>,
  now: number,
  accountId?: string,
): Promise<InstalledRules> {
  const lists = await store.listsVersion();
  const { version: directory, accounts, keys, policies } = await store.changesSince(0);
  const wanted = accounts.filter(({ id }) => accountId === undefined || id === accountId);
  const read = await Promise.all(
    wanted.map(async (account): Promise<InstalledAccount> => {
      const all = await store.listEntries(account.id);
      const entries = all.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
      return {
        account,
        hasNamesake: accounts.some(({ id, name }) => id !== account.id && name === account.name),
        keys: keys.filter(({ accountId: owner, revokedAt }) => owner === account.id && revokedAt === null),
        policy: policies.find((policy) => policy.accountId === account.id) ?? null,
        entries,
        expired: all.length - entries.length,
      };
    }),
  );
  const nameOf = ({ account: { name, id } }: InstalledAccount) => `${name}\n${id}`;
  return { versions: { directory, lists }, accounts: read.toSorted((a, b) => compare(nameOf(a), nameOf(b))) };
}

/** The same order on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A stored text as a file can have it: one line, and no more than its readers accept. */
export function toLine(text: string | null): string | null {
  const line =
    text
      ?.replaceAll(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, MAX_TEXT)
      .trim() ?? '';
  return line === '' ? null : line;
}

/** The value of an entry as a file can have it; an address only where the installation keeps it in full. */
export function toFileValue(
  { kind, value, shown }: Pick<ListEntry, 'kind' | 'value' | 'shown'>,
  { hashUnderAllKeys }: Pick<AddressHashes, 'hashUnderAllKeys'>,
): { readonly text: string; readonly isMasked: boolean } {
  if (!isHashedKind(kind)) return { text: shown, isMasked: false };
  const isWhole = parseEmail(shown) !== undefined && hashUnderAllKeys(shown).includes(value);
  return { text: shown, isMasked: !isWhole };
}

/** The stored entry that an entry of a file is about; `undefined` where there is none. */
export function findStored(
  { action, value, id }: Pick<FileEntry, 'action' | 'value' | 'id'>,
  entries: readonly ListEntry[],
  { hashUnderAllKeys }: Pick<AddressHashes, 'hashUnderAllKeys'>,
): ListEntry | undefined {
  const same = entries.filter((entry) => entry.action === action);
  if (value === null) return same.find((entry) => entry.id === id);
  const values = isHashedKind(value.kind) ? hashUnderAllKeys(value.value) : [value.value];
  return same.find((entry) => entry.kind === value.kind && values.includes(entry.value));
}
