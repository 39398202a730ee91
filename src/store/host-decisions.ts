/** Stores what operators decided about mail hosts, in both databases. */
import type { HostDecision, HostDecisionStore } from './dashboard-store.ts';
import { readVersion, type SqlDatabase } from './sql-database.ts';
import { decodeText } from './text.ts';

interface HostDecisionRow {
  readonly key: string;
  readonly generation: number;
  readonly never_flag: boolean | number;
  readonly author: string;
  readonly at: number;
}

const READ_CHANGED = 'SELECT * FROM mail_host_decisions WHERE version > $1 ORDER BY key';

export function createHostDecisionStore(
  database: Pick<SqlDatabase, 'query'>,
): Omit<HostDecisionStore, 'decideHosts'> {
  return {
    hostDecisionsVersion: () => readVersion(database, 'mail_hosts'),
    async hostDecisionsSince(version) {
      return (await database.query<HostDecisionRow>(READ_CHANGED, [version])).map(toHostDecision);
    },
  };
}

function toHostDecision({ key, generation, never_flag, author, at }: HostDecisionRow): HostDecision {
  return { key, generation, neverFlag: Boolean(never_flag), by: decodeText(author), at };
}
