/** Accounts and keys in PostgreSQL: every change is stamped with a new directory version, so that readers find it. */
import type { StoredPolicy } from '../dashboard-store.ts';
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
import type { AccountChanges, AccountStore, KeyChanges } from '../store.ts';
import { changeAudited } from './audit.ts';
import type { Database, PostgresValue, Query } from './database.ts';

const READ_VERSION = {
  name: 'gatehouse_directory_version',
  text: "SELECT value FROM meta WHERE name = 'directory_version'",
};
const NOTE_FIRST_START =
  "INSERT INTO meta (name, value) VALUES ('first_start', 1) ON CONFLICT DO NOTHING RETURNING value";
/** In order of their ids, so that nodes that note the same keys never wait in a circle. */
const TOUCH = `UPDATE keys SET last_used_at = greatest(last_used_at, used.at)
  FROM (SELECT keys.id, given.at FROM unnest($1::text[], $2::bigint[]) AS given (id, at) JOIN keys USING (id)
    ORDER BY keys.id FOR NO KEY UPDATE OF keys) AS used
  WHERE keys.id = used.id`;

const SAVE_ACCOUNT = insert('accounts', ACCOUNT_COLUMNS);
const SAVE_KEY = insert('keys', KEY_COLUMNS);

/** @param policiesSince those in force that changed after a version of the directory */
export function createAccountStore(
  database: Database,
  policiesSince: (version: number) => Promise<StoredPolicy[]>,
): AccountStore {
  const { query, transaction } = database;
  async function directoryVersion(): Promise<number> {
    const [row] = await query<{ value: number }>(READ_VERSION);
    return row?.value ?? 0;
  }

  return {
    directoryVersion,
    async saveAccount(account, ...audit) {
      await changeAudited(database, audit, SAVE_ACCOUNT, accountValues(account));
    },
    async changeAccount(id, changes, ...audit) {
      await changeAudited(database, audit, ...update('accounts', id, changes));
    },
    saveFirstAccount(account, keys) {
      return transaction(async (ask) => {
        if ((await ask(NOTE_FIRST_START)).length === 0) return false;
        await ask(SAVE_ACCOUNT, accountValues(account));
        for (const key of keys) await ask(SAVE_KEY, keyValues(key));
        return true;
      });
    },
    async saveKey(key, ...audit) {
      await changeAudited(database, audit, SAVE_KEY, keyValues(key));
    },
    async changeKey(id, changes, ...audit) {
      await changeAudited(database, audit, ...update('keys', id, changes));
    },
    async touchKeys(uses) {
      if (uses.size > 0) await query(TOUCH, [[...uses.keys()], [...uses.values()]]);
    },
    async changesSince(since) {
      // Read first: a change that lands while the rows are read is then met again, never missed.
      const version = await directoryVersion();
      const [accounts, keys, policies] = await Promise.all([
        query<DirectoryRow>('SELECT * FROM accounts WHERE version > $1 ORDER BY id', [since]),
        query<DirectoryRow>('SELECT * FROM keys WHERE version > $1 ORDER BY id', [since]),
        policiesSince(since),
      ]);
      return { version, accounts: accounts.map(toAccount), keys: keys.map(toKey), policies };
    },
  };
}

/** One transaction, with the version of the directory that its change is stamped with. */
export function changeDirectory<T>(
  { transaction }: Database,
  work: (query: Query, version: number) => Promise<T>,
): Promise<T> {
  return transaction(async (query) => {
    const [next] = await query<{ version: number }>("SELECT gatehouse_next_1('directory') AS version");
    return work(query, (next as { version: number }).version);
  });
}

function insert(table: string, columns: readonly string[]): string {
  const values = columns.map((_, at) => `$${at + 1}`);
  return `INSERT INTO ${table} (${columns.join(', ')}, version)
    VALUES (${values.join(', ')}, gatehouse_next_1('directory')) RETURNING id`;
}

function update(
  table: string,
  id: string,
  changes: AccountChanges & KeyChanges,
): [sql: string, values: PostgresValue[]] {
  const named = changedColumns(changes);
  const set = named.map(([column], at) =>
    column === 'revoked_at' ? `revoked_at = coalesce(revoked_at, $${at + 2})` : `${column} = $${at + 2}`,
  );
  const all = [...set, "version = gatehouse_next_1('directory')"].join(', ');
  return [`UPDATE ${table} SET ${all} WHERE id = $1 RETURNING id`, [id, ...named.map(([, value]) => value)]];
}
