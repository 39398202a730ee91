/** Changes of many rows at once in PostgreSQL: one statement each. Rows are locked in order, so that nodes never wait for each other in a circle. */
import { type BulkUpdates, currentVersion, USES } from '../sql-database.ts';
import { encodeText } from '../text.ts';
import type { Database } from './database.ts';
import { appendAudit } from './sql-database.ts';

const updateUses = (table: string, [id, usedAt]: readonly [id: string, usedAt: string]) =>
  `UPDATE ${table} AS noted SET ${usedAt} = greatest(${usedAt}, used.at)
  FROM (SELECT stored.id, input.at FROM unnest($1::text[], $2::bigint[]) AS input (name, at)
    JOIN ${table} AS stored ON stored.${id} = input.name ORDER BY stored.id FOR NO KEY UPDATE OF stored) AS used
  WHERE noted.id = used.id`;
const ADD_HITS = `UPDATE list_entries AS entry SET hits = hits + hit.count,
    last_hit_at = greatest(last_hit_at, hit.at)
  FROM (SELECT id, input.count, input.at
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS input (id, count, at) JOIN list_entries USING (id)
    ORDER BY id FOR NO KEY UPDATE OF list_entries) AS hit
  WHERE entry.id = hit.id`;
const DECIDE = `INSERT INTO mail_host_decisions AS old (key, generation, never_flag, author, at, version)
  SELECT key, $2::bigint, coalesce($3::boolean, false), $4, $5::bigint, ${currentVersion('mail_hosts')}
    FROM unnest($1::text[]) AS input (key) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET generation = old.generation + excluded.generation,
    never_flag = coalesce($3::boolean, old.never_flag), author = excluded.author, at = excluded.at,
    version = excluded.version`;
/** Removal in the order of the cache's own writes. */
const FORGET = `WITH locked AS MATERIALIZED
    (SELECT name FROM knowledge WHERE name = ANY ($1::text[]) ORDER BY name FOR UPDATE)
  DELETE FROM knowledge WHERE name IN (SELECT name FROM locked)`;

export function createBulkUpdates({ query, transaction }: Database): BulkUpdates {
  return {
    async storeLastUses(table, uses) {
      if (uses.size === 0) return;
      for (const columns of USES[table])
        await query(updateUses(table, columns), [[...uses.keys()], [...uses.values()]]);
    },
    async addListHits(entries) {
      if (entries.size === 0) return;
      const hits = [...entries.values()];
      await query(ADD_HITS, [[...entries.keys()], hits.map((hit) => hit.hits), hits.map(({ at }) => at)]);
    },
    async decideHosts({ keys, forget, neverFlag, by, at }, ...audit) {
      await transaction(async (run) => {
        // First: its lock makes those who decide at the same moment come one by one.
        await run("SELECT gatehouse_next_1('mail_hosts')");
        if (forget !== undefined) await run(FORGET, [forget]);
        const generations = forget === undefined ? 0 : 1;
        await run(DECIDE, [[...new Set(keys)], generations, neverFlag ?? null, encodeText(by), at]);
        await appendAudit(run, audit);
      });
    },
  };
}
