/** Accounts and keys in SQLite: every change is stamped with a new directory version, so that readers find it. */
import {
  ACCOUNT_COLUMNS,
  accountValues,
  type DirectoryRow,
  KEY_COLUMNS,
  keyValues,
  toAccount,
  toKey,
} from '../rows/directory-rows.ts';
import type { Account, AccountStore, Key } from '../store.ts';
import type { Committer } from './committer.ts';
import type { Connection } from './connection.ts';
import { CURRENT_VERSION, NEXT_VERSION } from './dashboard/directory-version.ts';
import { createPolicyChanges } from './dashboard/policies.ts';
import type { Statement } from './jobs.ts';

const FIRST_START = "SELECT 1 FROM meta WHERE name = 'first_start'";
const NOTE_FIRST_START: Statement = {
  sql: "INSERT INTO meta (name, value) VALUES ('first_start', 1)",
  values: [],
};

export function createAccountStore(reads: Connection, { submit }: Committer): AccountStore {
  const readVersion = reads.prepare("SELECT value FROM meta WHERE name = 'directory_version'");
  const readAccounts = reads.prepare('SELECT * FROM accounts WHERE version > ? ORDER BY id');
  const readKeys = reads.prepare('SELECT * FROM keys WHERE version > ? ORDER BY id');
  const policiesSince = createPolicyChanges(reads);
  const version = () => (readVersion.get() as { value: number }).value;

  return {
    async saveAccount(account) {
      await submit({ statements: [NEXT_VERSION, upsertAccount(account)] });
    },
    async saveFirstAccount(account, keys) {
      const statements = [NEXT_VERSION, NOTE_FIRST_START, upsertAccount(account), ...keys.map(upsertKey)];
      return (await submit({ statements, unless: FIRST_START })).done;
    },
    async saveKey(key) {
      await submit({ statements: [NEXT_VERSION, upsertKey(key)] });
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

function upsertAccount(account: Account): Statement {
  return upsert('accounts', ACCOUNT_COLUMNS, accountValues(account));
}

function upsertKey(key: Key): Statement {
  return upsert('keys', KEY_COLUMNS, keyValues(key));
}

/** What an update may not undo: a revocation stays, and the newest use counts. */
const STICKY: Record<string, string> = {
  revoked_at: 'coalesce(revoked_at, excluded.revoked_at)',
  last_used_at: 'coalesce(last_used_at, excluded.last_used_at)',
};

function upsert(table: string, columns: readonly string[], values: Statement['values']): Statement {
  const updates = [...columns.slice(1), 'version'].map(
    (column) => `${column} = ${STICKY[column] ?? `excluded.${column}`}`,
  );
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}, version) VALUES (${columns.map(() => '?').join(', ')}, ${CURRENT_VERSION})
      ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    values,
  };
}
