/** What operators decided about mail hosts, in PostgreSQL: each change is stamped with a version, so that nodes find it. */
import { type HostDecisionRow, toHostDecision } from '../host-decision-row.ts';
import type { HostDecisionStore } from '../host-decision-store.ts';
import { encodeText } from '../text.ts';
import { appendAudit } from './audit.ts';
import type { Database } from './database.ts';

const NEXT_VERSION = "SELECT gatehouse_next_1('mail_hosts') AS version";
const DECIDE = `INSERT INTO mail_host_decisions AS kept (key, generation, never_flag, author, at, version)
  SELECT key, $2::bigint, coalesce($3::boolean, false), $4, $5::bigint, $6::bigint
    FROM unnest($1::text[]) AS given (key) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET generation = kept.generation + excluded.generation,
    never_flag = coalesce($3::boolean, kept.never_flag), author = excluded.author, at = excluded.at,
    version = excluded.version`;
/** Locks rows in the same order as the writes of the cache do: different orders would end in a deadlock. */
const FORGET = `WITH locked AS MATERIALIZED
    (SELECT name FROM knowledge WHERE name = ANY ($1::text[]) ORDER BY name FOR UPDATE)
  DELETE FROM knowledge WHERE name IN (SELECT name FROM locked)`;
const READ_VERSION = {
  name: 'gatehouse_mail_hosts_version',
  text: "SELECT value FROM meta WHERE name = 'mail_hosts_version'",
};

export function createHostDecisionStore({
  query,
  transaction,
}: Pick<Database, 'query' | 'transaction'>): HostDecisionStore {
  return {
    async decideHosts({ keys, forget, neverFlag, by, at }, ...audit) {
      await transaction(async (run) => {
        // First: its lock makes those who decide at the same moment come one by one.
        const [next] = await run<{ version: number }>(NEXT_VERSION);
        if (forget !== undefined) await run(FORGET, [forget]);
        const version = (next as { version: number }).version;
        await run(DECIDE, [
          [...new Set(keys)],
          forget === undefined ? 0 : 1,
          neverFlag ?? null,
          encodeText(by),
          at,
          version,
        ]);
        await appendAudit(run, audit);
      });
    },
    async hostDecisionsVersion() {
      const [row] = await query<{ value: number }>(READ_VERSION);
      return row?.value ?? 0;
    },
    async hostDecisionsSince(version) {
      const sql = 'SELECT * FROM mail_host_decisions WHERE version > $1 ORDER BY key';
      return (await query<HostDecisionRow>(sql, [version])).map(toHostDecision);
    },
  };
}
