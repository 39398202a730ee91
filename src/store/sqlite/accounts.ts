/** Accounts and keys in SQLite: every change is stamped with a new directory version, so that readers find it. */
import {
  ACCOUNT_COLUMNS,
  accountValues,
  changedColumns,
  type DirectoryRow,
  KEY_COLUMNS,
  keyValues,
  toAccount,
  toKey,
} from '../directory-rows.ts';
import type { Account, AccountChanges, AccountStore, Key, KeyChanges } from '../store.ts';
import { auditStatements } from './audit.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import { CURRENT_VERSION, NEXT_VERSION } from './directory-version.ts';
import type { Statement } from './jobs.ts';
import { createPolicyChanges } from './policies.ts';

const FIRST_START = "SELECT 1 FROM meta WHERE name = 'first_start'";
const NOTE_FIRST_START: Statement = {
  sql: "INSERT INTO meta (name, value) VALUES ('first_start', 1)",
  values: [],
};

export function createAccountStore(reads: SqliteConnection, { submit }: SqliteCommitter): AccountStore {
  const readVersion = reads.prepare("SELECT value FROM meta WHERE name = 'directory_version'");
  const readAccounts = reads.prepare('SELECT * FROM accounts WHERE version > ? ORDER BY id');
  const readKeys = reads.prepare('SELECT * FROM keys WHERE version > ? ORDER BY id');
  const policiesSince = createPolicyChanges(reads);
  const version = () => (readVersion.get() as { value: number }).value;

  return {
    async saveAccount(account, ...audit) {
      await submit({ statements: [NEXT_VERSION, insertAccount(account), ...auditStatements(audit)] });
    },
    async changeAccount(id, changes, ...audit) {
      const statements = [NEXT_VERSION, update('accounts', id, changes), ...auditStatements(audit)];
      await submit({ statements });
    },
    async saveFirstAccount(account, keys) {
      const statements = [NEXT_VERSION, NOTE_FIRST_START, insertAccount(account), ...keys.map(insertKey)];
      return (await submit({ statements, unless: FIRST_START })).done;
    },
    async saveKey(key, ...audit) {
      await submit({ statements: [NEXT_VERSION, insertKey(key), ...auditStatements(audit)] });
    },
    async changeKey(id, changes, ...audit) {
      const statements = [NEXT_VERSION, update('keys', id, changes), ...auditStatements(audit)];
      await submit({ statements });
    },
    async touchKeys(uses) {
      const sql = 'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?';
      await submit({
        statements: [...uses].map(([id, at]) => ({ sql, values: [at, id] })),
      });
    },
    async directoryVersion() {
      return version();
    },
    async changesSince(since) {
      // Read first: a change that lands while the rows are read is then met again, never missed.
      const upTo = version();
      return {
        version: upTo,
        accounts: (readAccounts.all(since) as DirectoryRow[]).map(toAccount),
        keys: (readKeys.all(since) as DirectoryRow[]).map(toKey),
        policies: policiesSince(since),
      };
    },
  };
}

function insertAccount(account: Account): Statement {
  return insert('accounts', ACCOUNT_COLUMNS, accountValues(account));
}

function insertKey(key: Key): Statement {
  return insert('keys', KEY_COLUMNS, keyValues(key));
}

function insert(table: string, columns: readonly string[], values: Statement['values']): Statement {
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}, version) VALUES (${columns.map(() => '?').join(', ')}, ${CURRENT_VERSION})`,
    values,
  };
}

function update(table: string, id: string, changes: AccountChanges & KeyChanges): Statement {
  const named = changedColumns(changes);
  const set = named.map(([column]) =>
    column === 'revoked_at' ? 'revoked_at = coalesce(revoked_at, ?)' : `${column} = ?`,
  );
  return {
    sql: `UPDATE ${table} SET ${[...set, `version = ${CURRENT_VERSION}`].join(', ')} WHERE id = ?`,
    values: [...named.map(([, value]) => value), id],
  };
}
