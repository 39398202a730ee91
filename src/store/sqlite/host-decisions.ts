/** What operators decided about mail hosts, in SQLite: each change is stamped with a version, so that services find it. */
import { type HostDecisionRow, toHostDecision } from '../host-decision-row.ts';
import type { HostDecisionStore } from '../host-decision-store.ts';
import { encodeText } from '../text.ts';
import { auditStatements } from './audit.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { Statement } from './jobs.ts';

const NEXT_VERSION: Statement = {
  sql: "UPDATE meta SET value = value + 1 WHERE name = 'mail_hosts_version'",
  values: [],
};
const DECIDE = `INSERT INTO mail_host_decisions (key, generation, never_flag, author, at, version)
  VALUES (?1, ?2, coalesce(?3, 0), ?4, ?5, (SELECT value FROM meta WHERE name = 'mail_hosts_version'))
  ON CONFLICT (key) DO UPDATE SET generation = generation + excluded.generation,
    never_flag = coalesce(?3, never_flag), author = excluded.author, at = excluded.at, version = excluded.version`;
const FORGET = 'DELETE FROM knowledge WHERE name = ?';

export function createHostDecisionStore(
  reads: SqliteConnection,
  { submit }: SqliteCommitter,
): HostDecisionStore {
  const readVersion = reads.prepare("SELECT value FROM meta WHERE name = 'mail_hosts_version'");
  const readSince = reads.prepare('SELECT * FROM mail_host_decisions WHERE version > ? ORDER BY key');
  return {
    async decideHosts({ keys, forget, neverFlag, by, at }, ...audit) {
      const more = forget === undefined ? 0 : 1;
      const flag = neverFlag === undefined ? null : Number(neverFlag);
      await submit({
        statements: [
          NEXT_VERSION,
          ...(forget ?? []).map((name) => ({ sql: FORGET, values: [name] })),
          ...keys.map((key) => ({ sql: DECIDE, values: [key, more, flag, encodeText(by), at] })),
          ...auditStatements(audit),
        ],
      });
    },
    async hostDecisionsVersion() {
      return (readVersion.get() as { value: number }).value;
    },
    async hostDecisionsSince(version) {
      return (readSince.all(version) as HostDecisionRow[]).map(toHostDecision);
    },
  };
}
