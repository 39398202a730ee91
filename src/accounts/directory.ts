/** Knows every key of the installation by its hash, and follows changes made by any process. */
import { DEFAULT_THRESHOLDS, type Thresholds } from '../contract/thresholds.ts';
import type { StoredPolicy } from '../store/dashboard-store.ts';
import type { Account, AccountStore, Key } from '../store/store.ts';
import { hashKey, hasKeyForm } from './keys.ts';
import { type Limits, limitsOf } from './plans.ts';

/** Who is asking: the key, its account, and what follows from both. */
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
  /** The account of an id, whoever asks. */
  account(id: string): Account | undefined;
  /** All of them, oldest first. */
  accounts(): readonly Account[];
  /** Reads what changed. @throws when the store cannot be read */
  refresh(): Promise<void>;
  /** Starts to follow changes, and to note when keys are used. */
  follow(onFault: (error: Error) => void): void;
  /** Stops following and stores the uses noted last. */
  close(): Promise<void>;
}

const POLL_MS = 250;
const NOTE_USES_MS = 5_000;

export function createDirectory(store: AccountStore): Directory {
  let version = 0;
  const accounts = new Map<string, Account>();
  const policies = new Map<string, StoredPolicy>();
  const keys = new Map<string, Key>();
  const keyIds = new Map<string, Set<string>>();
  const callers = new Map<string, Caller>();
  let uses = new Map<string, number>();
  const timers: NodeJS.Timeout[] = [];

  function place(key: Key): void {
    const account = accounts.get(key.accountId);
    if (account === undefined) return;
    const thresholds = key.thresholds ?? account.thresholds ?? DEFAULT_THRESHOLDS;
    const policy = policies.get(account.id) ?? null;
    callers.set(key.hash, { account, key, limits: limitsOf(account), thresholds, policy });
  }

  async function refresh(): Promise<void> {
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
      ...changes.policies.map((one) => one.accountId),
    ];
    for (const id of new Set(changed)) {
      for (const keyId of keyIds.get(id) ?? []) place(keys.get(keyId) as Key);
    }
    version = changes.version;
  }

  async function noteUses(): Promise<void> {
    if (uses.size === 0) return;
    const noted = uses;
    uses = new Map();
    await store.touchKeys(noted);
  }

  return {
    find(secret, now) {
      const caller = hasKeyForm(secret) ? callers.get(hashKey(secret)) : undefined;
      if (caller === undefined) return undefined;
      if (caller.key.revokedAt !== null) return 'revoked';
      uses.set(caller.key.id, now);
      return caller;
    },
    account: (id) => accounts.get(id),
    accounts: () => [...accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    refresh,
    follow(onFault) {
      timers.push(setInterval(() => refresh().catch(onFault), POLL_MS));
      timers.push(setInterval(() => noteUses().catch(onFault), NOTE_USES_MS));
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await noteUses();
    },
  };
}
