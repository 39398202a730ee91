/** Knows every key of the installation by its hash, with what follows from its account, and when it was last used. */
import { DEFAULT_THRESHOLDS, type Thresholds } from '../model/policy.ts';
import type { StoredPolicy } from '../store/dashboard-store.ts';
import type { Account, AccountStore, Key } from '../store/store.ts';
import { hashKey, hasKeyForm } from './keys.ts';
import { type Limits, limitsOf } from './plans.ts';

/** The caller of a request: the key, its account, and the limits and settings of both. */
export interface Caller {
  readonly account: Account;
  readonly key: Key;
  readonly limits: Limits;
  /** The key's thresholds, else the account's, else the defaults. */
  readonly thresholds: Thresholds;
  /** The account's own policy in force; `null` where the defaults are. */
  readonly policy: StoredPolicy | null;
}

export interface Directory {
  /** The caller behind a key's text; `revoked` once it was revoked; `undefined` when there is no such key. */
  find(secret: string, now: number): Caller | 'revoked' | undefined;
  /** The account of an id, for any caller. */
  account(id: string): Account | undefined;
  /** All of them, oldest first. */
  accounts(): readonly Account[];
  /** Of an account, revoked ones too, oldest first; with the last use that this process knows of. */
  keysOf(accountId: string): readonly Key[];
  /** The thresholds of a key: its own, else the account's, else the defaults. */
  thresholdsOf(accountId: string, keyId?: string): Thresholds;
  /** The account's own policy in force; `null` where the defaults are. */
  policyOf(accountId: string): StoredPolicy | null;
  /** Reads what changed. @throws when the store cannot be read */
  refresh(): Promise<void>;
  /** Starts to store when keys are used. */
  noteUses(onFault: (error: Error) => void): void;
  /** Stores the uses noted last. */
  close(): Promise<void>;
}

export function createDirectory(store: AccountStore): Directory {
  let version = 0;
  const accounts = new Map<string, Account>();
  const policies = new Map<string, StoredPolicy>();
  const keys = new Map<string, Key>();
  const keyIds = new Map<string, Set<string>>();
  const callers = new Map<string, Caller>();
  const uses = createKeyUses(store);
  let reading = Promise.resolve();

  function place(key: Key): void {
    const account = accounts.get(key.accountId);
    if (account === undefined) return;
    callers.set(key.hash, toCaller(key, account, policies.get(account.id) ?? null));
  }

  /** One refresh after the other: each includes every change made before it was called. */
  function refresh(): Promise<void> {
    reading = reading.catch(() => {}).then(read);
    return reading;
  }

  async function read(): Promise<void> {
    if ((await store.directoryVersion()) === version) return;
    const changes = await store.changesSince(version);
    for (const account of changes.accounts) accounts.set(account.id, account);
    for (const policy of changes.policies) policies.set(policy.accountId, policy);
    for (const key of changes.keys) {
      keys.set(key.id, key);
      const siblings = keyIds.get(key.accountId) ?? new Set();
      keyIds.set(key.accountId, siblings.add(key.id));
      place(key);
    }
    const changed = [
      ...changes.accounts.map(({ id }) => id),
      ...changes.policies.map(({ accountId }) => accountId),
    ];
    for (const id of new Set(changed))
      for (const keyId of keyIds.get(id) ?? []) place(keys.get(keyId) as Key);
    version = changes.version;
  }

  return {
    find(secret, now) {
      const caller = hasKeyForm(secret) ? callers.get(hashKey(secret)) : undefined;
      if (caller === undefined) return undefined;
      if (caller.key.revokedAt !== null) return 'revoked';
      uses.note(caller.key.id, now);
      return caller;
    },
    account: (id) => accounts.get(id),
    keysOf(accountId) {
      const ids = [...(keyIds.get(accountId) ?? [])].sort();
      return ids.map((id) => {
        const key = keys.get(id) as Key;
        return { ...key, lastUsedAt: uses.lastOf(id) ?? key.lastUsedAt };
      });
    },
    thresholdsOf(accountId, keyId = '') {
      const key = keys.get(keyId);
      const own = key?.accountId === accountId ? key.thresholds : null;
      return own ?? accounts.get(accountId)?.thresholds ?? DEFAULT_THRESHOLDS;
    },
    policyOf: (accountId) => policies.get(accountId) ?? null,
    accounts: () => [...accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    refresh,
    noteUses: uses.start,
    close: uses.close,
  };
}

function toCaller(key: Key, account: Account, policy: StoredPolicy | null): Caller {
  const thresholds = key.thresholds ?? account.thresholds ?? DEFAULT_THRESHOLDS;
  return { account, key, limits: limitsOf(account), thresholds, policy };
}

const STORE_EVERY_MS = 5_000;

/** Stores when keys were last used a little later: a request does not wait for it. */
function createKeyUses(store: Pick<AccountStore, 'touchKeys'>) {
  let unstored = new Map<string, number>();
  /** These are no change of the directory, so they do not come back with its changes. */
  const stored = new Map<string, number>();
  let storing: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    if (unstored.size === 0) return;
    const noted = unstored;
    unstored = new Map();
    for (const [id, at] of noted) stored.set(id, at);
    await store.touchKeys(noted).catch((error: unknown) => {
      // Stored the next time, unless the key was used again meanwhile.
      unstored = new Map([...noted, ...unstored]);
      throw error;
    });
  }

  return {
    /** `at`: milliseconds since the epoch. */
    note: (keyId: string, at: number) => unstored.set(keyId, at),
    /** The last use that this process knows of. */
    lastOf: (keyId: string) => unstored.get(keyId) ?? stored.get(keyId),
    start(onFault: (error: Error) => void) {
      storing = setInterval(() => save().catch(onFault), STORE_EVERY_MS);
    },
    async close() {
      clearInterval(storing);
      await save();
    },
  };
}
