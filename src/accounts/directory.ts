/** Knows every key, hook and token of the installation, with what follows from their accounts, and when they were last used. */
import type { Hook } from '../model/hook.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../model/policy.ts';
import { createTurns } from '../platform/turns.ts';
import { hashOfAccount } from '../store/account-deletion-store.ts';
import type { StoredPolicy } from '../store/dashboard-store.ts';
import type { Account, AccountStore, DirectoryChanges, Key } from '../store/store.ts';
import { type AccessTable, createAccessTable } from './access-table.ts';
import { accessesOf, type KeyRefusal, refusalOf, type SecretAccess, withSecretUses } from './key-access.ts';
import { createKeyHashes } from './key-hashes.ts';
import type { LastUses } from './last-uses.ts';
import { type Limits, limitsOf } from './plans.ts';
import { createTokenTable, type TokenTable } from './token-table.ts';

/** The caller of a request: the key, its account, and the limits and settings of both. */
export interface Caller {
  readonly account: Account;
  readonly key: Key;
  readonly limits: Limits;
  /** The key's thresholds, else the account's, else the defaults. */
  readonly thresholds: Thresholds;
  /** The account's own current policy; `null`: the defaults apply. */
  readonly policy: StoredPolicy | null;
}

/** The caller of a hook, in whose account signups are assessed. */
export interface HookCaller extends Omit<Caller, 'key'> {
  readonly hook: Hook;
}

export interface Directory {
  /**
   * The caller behind a key's secret, or why it is refused; `undefined` when there is no such key.
   * @param from who sends it, read only where the key is bound to addresses
   */
  find(secret: string, now: number, from: { readonly ip: string }): Caller | KeyRefusal | undefined;
  /** The caller behind a hook's id; `undefined` when there is no such hook, or it was revoked. */
  findHook(id: string): HookCaller | undefined;
  /** Notes that a hook was used: its provider has proved itself. */
  noteHookUse(id: string, now: number): void;
  /** Lists the hooks of an account, revoked ones too, oldest first; with the last use that this process knows of. */
  hooksOf(accountId: string): readonly Hook[];
  /** Tokens of the management API. */
  readonly tokens: Pick<TokenTable, 'find' | 'note' | 'list'>;
  /** The account of an id, for any caller. */
  account(id: string): Account | undefined;
  /** Accounts, oldest first. */
  accounts(): readonly Account[];
  /** Lists the keys of an account, revoked ones too, oldest first; with the last use that this process knows of. */
  keysOf(accountId: string): readonly Key[];
  /** The same with the last uses of all processes, as far as these have stored them. */
  readKeys(accountId: string): Promise<readonly Key[]>;
  /** The thresholds of a key: its own, else the account's, else the defaults. */
  thresholdsOf(accountId: string, keyId?: string): Thresholds;
  /** The account's own current policy; `null`: the defaults apply. */
  policyOf(accountId: string): StoredPolicy | null;
  /** Reads what changed. @returns the version of the store that it includes. @throws when the store cannot be read */
  refresh(): Promise<number>;
  /** Starts to store when keys, hooks and tokens are used. */
  noteUses(onFault: (error: Error) => void): void;
  /** Stores the uses noted last. */
  close(): Promise<void>;
}

/** @param onRemoved called when the deletion of accounts has begun, with those that were known until then */
export function createDirectory(
  store: AccountStore,
  onRemoved: (accountIds: readonly string[]) => void = () => {},
): Directory {
  let version = 0;
  const tables = createTables(store);
  const { accounts, policies, keys, hooks, tokens, callers } = tables;
  const hashOf = createKeyHashes((hash) => callers.has(hash));
  const inTurn = createTurns();
  /** One after the other: each includes every change made before it was called. */
  const refresh = () => inTurn(read);

  async function read(): Promise<number> {
    if ((await store.directoryVersion()) === version) return version;
    const changes = await store.changesSince(version);
    applyChanges(tables, changes);
    const { removedAccounts } = changes;
    // At the first read nothing is known that could be one of them.
    if (version > 0 && removedAccounts.length > 0) onRemoved(removeAccounts(tables, removedAccounts));
    version = changes.version;
    return version;
  }

  return {
    find(secret, now, from) {
      const access = callers.get(hashOf(secret));
      if (access === undefined) return undefined;
      if (now >= access.until) return refusalOf(access, now);
      if (access.isAllowed?.(from.ip) === false) return 'elsewhere';
      keys.note(access.hash, now);
      return access.caller;
    },
    findHook(id) {
      const hook = hooks.find(id);
      const account = hook?.revokedAt === null ? accounts.get(hook.accountId) : undefined;
      return hook && account && toHookCaller(hook, account, policies.get(account.id) ?? null);
    },
    noteHookUse: hooks.note,
    hooksOf: hooks.listByAccount,
    tokens,
    account: (id) => accounts.get(id),
    keysOf: keys.listByAccount,
    readKeys: async (accountId) => (await store.keysOf(accountId)).map(keys.withUses),
    thresholdsOf(accountId, keyId = '') {
      const key = keys.find(keyId);
      const own = key?.accountId === accountId ? key.thresholds : null;
      return own ?? accounts.get(accountId)?.thresholds ?? DEFAULT_THRESHOLDS;
    },
    policyOf: (accountId) => policies.get(accountId) ?? null,
    accounts: () => [...accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    refresh,
    ...storesUses(keys, hooks, tokens),
  };
}

interface DirectoryTables {
  readonly accounts: Map<string, Account>;
  readonly policies: Map<string, StoredPolicy>;
  readonly keys: AccessTable<Key>;
  readonly hooks: AccessTable<Hook>;
  readonly tokens: TokenTable;
  /** Callers by the hash of their secret. */
  readonly callers: Map<string, SecretAccess<Caller>>;
}

function createTables(store: AccountStore): DirectoryTables {
  return {
    accounts: new Map(),
    policies: new Map(),
    keys: createAccessTable<Key>((uses) => store.storeLastUses('keys', uses), withSecretUses),
    hooks: createAccessTable<Hook>((uses) => store.storeLastUses('hooks', uses)),
    tokens: createTokenTable((uses) => store.storeLastUses('manage_tokens', uses)),
    callers: new Map(),
  };
}

function applyChanges(
  { accounts, policies, keys, hooks, tokens, callers }: DirectoryTables,
  changes: DirectoryChanges,
): void {
  for (const account of changes.accounts) accounts.set(account.id, account);
  for (const policy of changes.policies) policies.set(policy.accountId, policy);
  for (const hook of changes.hooks) hooks.put(hook);
  for (const token of changes.tokens) tokens.put(token);
  for (const key of changes.keys) {
    const before = keys.find(key.id);
    if (before !== undefined) removeCaller(callers, before);
    keys.put(key);
    updateCaller(key);
  }
  for (const id of accountsOf(changes)) for (const key of keys.listByAccount(id)) updateCaller(key);

  function updateCaller(key: Key): void {
    const account = accounts.get(key.accountId);
    if (account === undefined) return;
    const caller = toCaller(key, account, policies.get(account.id) ?? null);
    for (const access of accessesOf(caller)) callers.set(access.hash, access);
  }
}

function removeCaller(callers: DirectoryTables['callers'], { hash, previous }: Key): void {
  callers.delete(hash);
  if (previous !== null) callers.delete(previous.hash);
}

/** @param removed hashes of accounts, as the store gives them. @returns which of those that were known they are */
function removeAccounts(
  { accounts, policies, keys, callers, ...others }: DirectoryTables,
  removed: readonly string[],
): string[] {
  const hashes = new Set(removed);
  const gone = [...accounts.keys()].filter((id) => hashes.has(hashOfAccount(id)));
  for (const id of gone) {
    for (const key of keys.listByAccount(id)) removeCaller(callers, key);
    for (const table of [keys, others.hooks, others.tokens]) table.removeAccount(id);
    policies.delete(id);
    accounts.delete(id);
  }
  return gone;
}

/** Accounts whose keys get other limits or another policy. */
function accountsOf({ accounts, policies }: DirectoryChanges): ReadonlySet<string> {
  return new Set([...accounts.map(({ id }) => id), ...policies.map(({ accountId }) => accountId)]);
}

function storesUses(
  ...tables: readonly Pick<LastUses, 'start' | 'close'>[]
): Pick<Directory, 'noteUses' | 'close'> {
  return {
    noteUses(onFault) {
      for (const table of tables) table.start(onFault);
    },
    async close() {
      await Promise.all(tables.map((table) => table.close()));
    },
  };
}

function toCaller(key: Key, account: Account, policy: StoredPolicy | null): Caller {
  const thresholds = key.thresholds ?? account.thresholds ?? DEFAULT_THRESHOLDS;
  return { account, key, limits: limitsOf(account), thresholds, policy };
}

function toHookCaller(hook: Hook, account: Account, policy: StoredPolicy | null): HookCaller {
  const thresholds = account.thresholds ?? DEFAULT_THRESHOLDS;
  return { account, hook, limits: limitsOf(account), thresholds, policy };
}
