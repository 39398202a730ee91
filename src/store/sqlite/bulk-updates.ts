/** Changes of many rows at once in SQLite: the statements of one job. */
import { type BulkUpdates, currentVersion, type SqlDatabase, USES } from '../sql-database.ts';
import type { JobQueue } from '../sqlite-jobs.ts';
import { encodeText } from '../text.ts';
import { auditStatements } from './sql-database.ts';

const updateUse = (table: string, [id, usedAt]: readonly [id: string, usedAt: string]) =>
  `UPDATE ${table} SET ${usedAt} = max(coalesce(${usedAt}, 0), ?) WHERE ${id} = ?`;
const ADD_HITS =
  'UPDATE list_entries SET hits = hits + ?, last_hit_at = max(coalesce(last_hit_at, 0), ?) WHERE id = ?';
const DECIDE = `INSERT INTO mail_host_decisions (key, generation, never_flag, author, at, version)
  VALUES (?1, ?2, coalesce(?3, 0), ?4, ?5, ${currentVersion('mail_hosts')})
  ON CONFLICT (key) DO UPDATE SET generation = generation + excluded.generation,
    never_flag = coalesce(?3, never_flag), author = excluded.author, at = excluded.at, version = excluded.version`;
const FORGET = 'DELETE FROM knowledge WHERE name = ?';

export function createBulkUpdates(
  { submit }: JobQueue,
  { nextVersion }: Pick<SqlDatabase, 'nextVersion'>,
): BulkUpdates {
  return {
    async storeLastUses(table, uses) {
      const updates = USES[table].map((columns) => updateUse(table, columns));
      const statements = [...uses].flatMap(([id, at]) => updates.map((sql) => ({ sql, values: [at, id] })));
      await submit({ statements });
    },
    async addListHits(entries) {
      const statements = [...entries].map(([id, { hits, at }]) => ({
        sql: ADD_HITS,
        values: [hits, at, id],
      }));
      await submit({ statements });
    },
    async decideHosts({ keys, forget, neverFlag, by, at }, ...audit) {
      const generations = forget === undefined ? 0 : 1;
      const flag = neverFlag === undefined ? null : Number(neverFlag);
      await submit({
        statements: [
          ...nextVersion('mail_hosts'),
          ...(forget ?? []).map((name) => ({ sql: FORGET, values: [name] })),
          ...keys.map((key) => ({ sql: DECIDE, values: [key, generations, flag, encodeText(by), at] })),
          ...auditStatements(audit),
        ],
      });
    },
  };
}
