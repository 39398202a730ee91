/** Accounts and keys in both databases: every change gets a new version of the directory, so that services find it. */
import type { PlanName } from '../contract/messages.ts';
import type { KeyMode } from '../model/key-mode.ts';
import type { Thresholds } from '../model/policy.ts';
import { deletionsSince } from './account-deletions.ts';
import type { AuditEntries } from './audit-store.ts';
import { createHookStore, hooksSince } from './hooks.ts';
import { createPolicyStore, policiesSince } from './policies.ts';
import {
  insertVersioned,
  readVersion,
  type SqlDatabase,
  type SqlStatement,
  type SqlValue,
} from './sql-database.ts';
import type { Account, AccountChanges, AccountStore, Key, KeyChanges, PreviousSecret } from './store.ts';
import { encodeText } from './text.ts';
import { tokensSince } from './tokens.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

const FIRST_START = "SELECT 1 FROM meta WHERE name = 'first_start'";
const NOTE_FIRST_START: SqlStatement = {
  sql: "INSERT INTO meta (name, value) VALUES ('first_start', 1) ON CONFLICT (name) DO NOTHING RETURNING name",
  values: [],
};
/** Accounts without those that are being deleted. */
const READ_ACCOUNTS = `SELECT * FROM accounts WHERE version > $1
  AND NOT EXISTS (SELECT 1 FROM account_deletions AS d WHERE d.id = accounts.id) ORDER BY id`;
const ALWAYS = 'WHERE true RETURNING id';
/** Condition of an account, whose values are numbered as its columns. */
const UNLESS_NAMED = `WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE name = $2
  AND NOT EXISTS (SELECT 1 FROM account_deletions AS d WHERE d.id = accounts.id)) RETURNING id`;
/** Condition after a lock: two processes cannot both find nothing. */
const AT_FIRST_START = `WHERE NOT EXISTS (${FIRST_START})`;

export function createAccountStore(database: SqlDatabase): Omit<AccountStore, 'storeLastUses'> {
  const { query, change } = database;
  const nextVersion = database.nextVersion('directory');
  const { insertAccount, insertKey, update, rotate, endPrevious, swap } = createStatements(
    database.newVersion('directory'),
  );

  return {
    async saveAccount(account, ...audit) {
      await change(audit, ...nextVersion, insertAccount(account));
    },
    async saveAccountOnce(account, ...audit) {
      const insert = insertAccount(account, UNLESS_NAMED);
      return (await change(audit, ...database.lock('names of accounts'), ...nextVersion, insert)).length > 0;
    },
    async changeAccount(id, changes, ...audit) {
      await change(audit, ...nextVersion, update('accounts', id, changes));
    },
    async saveFirstAccount(account, keys, onBegin = () => {}) {
      if ((await query(FIRST_START)).length > 0) return false;
      onBegin();
      const inserts = [
        insertAccount(account, AT_FIRST_START),
        ...keys.map((key) => insertKey(key, AT_FIRST_START)),
      ];
      const lock = database.lock('first start');
      return (await change([], ...lock, ...nextVersion, ...inserts, NOTE_FIRST_START)).length > 0;
    },
    async saveKey(key, ...audit) {
      await change(audit, ...nextVersion, insertKey(key, ALWAYS, audit));
    },
    async changeKey(id, changes, ...audit) {
      await change(audit, ...nextVersion, update('keys', id, changes, audit));
    },
    ...createSecretChanges(database, nextVersion, { rotate, endPrevious, swap }),
    keysOf: async (accountId) =>
      (await query<Row>('SELECT * FROM keys WHERE account_id = $1 ORDER BY id', [accountId])).map(toKey),
    ifDirectoryIs(version) {
      const conditional = database.at('directory', version);
      return {
        ...createAccountStore(conditional),
        ...createPolicyStore(conditional),
        ...createHookStore(conditional),
      };
    },
    directoryVersion: () => readVersion(database, 'directory'),
    async changesSince(since) {
      // Read first: a change that is made while the rows are read is then found again, never missed.
      const version = await readVersion(database, 'directory');
      const [accounts, keys, hooks, tokens, policies, removedAccounts] = await Promise.all([
        query<Row>(READ_ACCOUNTS, [since]),
        query<Row>('SELECT * FROM keys WHERE version > $1 ORDER BY id', [since]),
        hooksSince(database, since),
        tokensSince(database, since),
        policiesSince(database, since),
        deletionsSince(database, since),
      ]);
      return {
        version,
        accounts: accounts.map(toAccount),
        keys: keys.map(toKey),
        hooks,
        tokens,
        policies,
        removedAccounts,
      };
    },
  };
}

type SecretStatements = Pick<ReturnType<typeof createStatements>, 'rotate' | 'endPrevious' | 'swap'>;

/** Changes of the secrets of keys, each with a new version of the directory. */
function createSecretChanges(
  { change }: Pick<SqlDatabase, 'change'>,
  nextVersion: readonly SqlStatement[],
  { rotate, endPrevious, swap }: SecretStatements,
): Pick<AccountStore, 'rotateKey' | 'endPreviousSecret' | 'swapSecrets'> {
  return {
    async rotateKey(id, { hash, prefix, at, previousUntil }, ...audit) {
      const values = [id, hash, prefix, at, previousUntil, actorOf(audit)];
      await change(audit, ...nextVersion, { sql: rotate, values });
    },
    async endPreviousSecret(id, at, ...audit) {
      await change(audit, ...nextVersion, { sql: endPrevious, values: [id, at, actorOf(audit)] });
    },
    async swapSecrets(id, at, ...audit) {
      await change(audit, ...nextVersion, { sql: swap, values: [id, at, actorOf(audit)] });
    },
  };
}

/** @param version expression of the new version of the directory */
function createStatements(version: string) {
  return {
    insertAccount: (account: Account, rest = ALWAYS) =>
      insertVersioned('accounts', accountRow(account), version, rest),
    insertKey: (key: Key, rest = ALWAYS, audit: AuditEntries = []) =>
      insertVersioned('keys', { ...keyRow(key), changed_by: actorOf(audit) }, version, rest),
    update: (
      table: 'accounts' | 'keys',
      id: string,
      changes: AccountChanges & KeyChanges,
      audit: AuditEntries = [],
    ) => changeStatement(version, table, id, changes, audit),
    rotate: `UPDATE keys SET hash = $2, prefix = $3, last_used_at = NULL, rotated_at = $4, ${KEEP_AS_PREVIOUS},
      previous_until = $5, changed_by = $6, version = ${version} WHERE id = $1 RETURNING id`,
    endPrevious: `UPDATE keys SET previous_until = $2, changed_by = $3, version = ${version}
      WHERE id = $1 AND previous_until > $2 RETURNING id`,
    swap: `UPDATE keys SET hash = previous_hash, prefix = previous_prefix, last_used_at = previous_used_at,
      rotated_at = $2, ${KEEP_AS_PREVIOUS}, previous_until = $2, changed_by = $3, version = ${version}
      WHERE id = $1 AND previous_hash IS NOT NULL RETURNING id`,
  };
}

/** @param version expression of the new version of the directory */
export function changeStatement(
  version: string,
  table: 'accounts' | 'keys',
  id: string,
  changes: AccountChanges & KeyChanges,
  audit: AuditEntries,
): SqlStatement {
  const columns = changedColumns(changes);
  if (table === 'keys') columns.push(['changed_by', actorOf(audit)]);
  const set = columns.map(([column], at) =>
    column === 'revoked_at' ? `revoked_at = coalesce(revoked_at, $${at + 2})` : `${column} = $${at + 2}`,
  );
  const all = [...set, `version = ${version}`].join(', ');
  return {
    sql: `UPDATE ${table} SET ${all} WHERE id = $1 RETURNING id`,
    values: [id, ...columns.map(([, value]) => value)],
  };
}

/** Name of whoever makes a change, for its event. */
function actorOf([entry]: AuditEntries): string | null {
  return entry === undefined ? null : encodeText(entry.by);
}

/** Assignments that read the row as it was before the statement. */
const KEEP_AS_PREVIOUS = 'previous_hash = hash, previous_prefix = prefix, previous_used_at = last_used_at';

function accountRow(account: Account) {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    overage: Number(account.overage),
    monthly_quota: account.monthlyQuota,
    requests_per_second: account.requestsPerSecond,
    challenge: account.thresholds?.challenge ?? null,
    block: account.thresholds?.block ?? null,
    time_zone: account.timeZone,
    created_at: account.createdAt,
  };
}

function keyRow(key: Key) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    mode: key.mode,
    enforced_share: key.enforcedShare,
    hash: key.hash,
    prefix: key.prefix,
    challenge: key.thresholds?.challenge ?? null,
    block: key.thresholds?.block ?? null,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    rotated_at: key.rotatedAt,
    previous_hash: key.previous?.hash ?? null,
    previous_prefix: key.previous?.prefix ?? null,
    previous_used_at: key.previous?.lastUsedAt ?? null,
    previous_until: key.previous?.until ?? null,
    expires_at: key.expiresAt,
    allowed_ranges: rangesText(key.allowedRanges),
    revoked_at: key.revokedAt,
  };
}

/** The columns that change, with their new values. */
function changedColumns(changes: AccountChanges & KeyChanges): [string, SqlValue][] {
  const { thresholds, overage } = changes;
  const values = {
    name: changes.name,
    plan: changes.plan,
    overage: overage === undefined ? undefined : Number(overage),
    monthly_quota: changes.monthlyQuota,
    requests_per_second: changes.requestsPerSecond,
    time_zone: changes.timeZone,
    challenge: thresholds === null ? null : thresholds?.challenge,
    block: thresholds === null ? null : thresholds?.block,
    enforced_share: changes.enforcedShare,
    expires_at: changes.expiresAt,
    allowed_ranges: changes.allowedRanges === undefined ? undefined : rangesText(changes.allowedRanges),
    revoked_at: changes.revokedAt,
  };
  return Object.entries(values).flatMap(([column, value]) => (value === undefined ? [] : [[column, value]]));
}

function toAccount(row: Row): Account {
  return {
    id: row.id as string,
    name: row.name as string,
    plan: row.plan as PlanName,
    overage: Boolean(row.overage),
    monthlyQuota: row.monthly_quota as number | null,
    requestsPerSecond: row.requests_per_second as number | null,
    thresholds: toThresholds(row),
    timeZone: row.time_zone as string,
    createdAt: row.created_at as number,
  };
}

function toKey(row: Row): Key {
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    name: row.name as string,
    mode: row.mode as KeyMode,
    enforcedShare: row.enforced_share as number,
    hash: row.hash as string,
    prefix: row.prefix as string,
    thresholds: toThresholds(row),
    createdAt: row.created_at as number,
    lastUsedAt: row.last_used_at as number | null,
    rotatedAt: row.rotated_at as number | null,
    previous: toPrevious(row),
    expiresAt: row.expires_at as number | null,
    allowedRanges: row.allowed_ranges === null ? null : (row.allowed_ranges as string).split(' '),
    revokedAt: row.revoked_at as number | null,
  };
}

function toPrevious(row: Row): PreviousSecret | null {
  if (row.previous_hash === null) return null;
  return {
    hash: row.previous_hash as string,
    prefix: row.previous_prefix as string,
    lastUsedAt: row.previous_used_at as number | null,
    until: row.previous_until as number,
  };
}

const rangesText = (ranges: readonly string[] | null) => ranges?.join(' ') ?? null;

function toThresholds({ challenge, block }: Row): Thresholds | null {
  if (challenge === null || block === null) return null;
  return { challenge: challenge as number, block: block as number };
}
