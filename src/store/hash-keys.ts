/** The keys that addresses are hashed with, as both databases store them. */
import type { HashKey } from '../model/hash-key.ts';
import type { HashKeyStore } from './hash-key-store.ts';
import { readVersion, type SqlDatabase } from './sql-database.ts';

interface HashKeyRow {
  readonly number: number;
  readonly encrypted: string | null;
  readonly created_at: number;
}

const READ = 'SELECT number, encrypted, created_at FROM hash_keys ORDER BY number DESC';
const NEWEST = '(SELECT max(number) FROM hash_keys)';
/** Hashes with the installation's secret exist from the first account on. */
const FIRST = `SELECT 0, NULL, coalesce((SELECT min(created_at) FROM accounts), $1)`;

export function createHashKeyStore(database: SqlDatabase): HashKeyStore {
  const { query, change, nextVersion, newVersion } = database;
  return {
    hashKeys: async () => (await query<HashKeyRow>(READ)).map(toHashKey),
    async addHashKey({ encrypted, createdAt }, ...audit) {
      const version = newVersion('hash_keys');
      const [row] = await change<HashKeyRow>(
        audit,
        ...nextVersion('hash_keys'),
        {
          sql: `INSERT INTO hash_keys (number, encrypted, created_at, version)
            ${FIRST}, ${version} WHERE NOT EXISTS (SELECT 1 FROM hash_keys)`,
          values: [createdAt],
        },
        {
          sql: `INSERT INTO hash_keys (number, encrypted, created_at, version)
            SELECT ${NEWEST} + 1, $1, $2, ${version} RETURNING number, encrypted, created_at`,
          values: [encrypted, createdAt],
        },
      );
      return toHashKey(row as HashKeyRow);
    },
    async dropHashKey(number, ...audit) {
      const rows = await change(
        audit,
        ...nextVersion('hash_keys'),
        {
          sql: `UPDATE hash_keys SET version = ${newVersion('hash_keys')} WHERE number = ${NEWEST}`,
          values: [],
        },
        {
          sql: `DELETE FROM hash_keys WHERE number = $1 AND number < ${NEWEST} RETURNING number`,
          values: [number],
        },
      );
      return rows.length > 0;
    },
    hashKeysVersion: () => readVersion(database, 'hash_keys'),
  };
}

function toHashKey({ number, encrypted, created_at }: HashKeyRow): HashKey {
  return { number, encrypted, createdAt: created_at };
}
