/** The policies that accounts made, in SQLite: each a version of its own, the newest in force. */
import type { PolicyStore, StoredPolicy } from '../dashboard-store.ts';
import { type PolicyRow, policyValues, toPolicy, versionName } from '../policy-row.ts';
import { auditStatements } from './audit.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import { CURRENT_VERSION, NEXT_VERSION } from './directory-version.ts';

const SAVE = `INSERT INTO policies (account_id, number, weights, created_at, author, note, version)
  VALUES (?, ?, ?, ?, ?, ?, ${CURRENT_VERSION})`;
/** Two people who save at the same moment both get a version. */
const ATTEMPTS = 5;

export function createPolicyStore(reads: SqliteConnection, { submit }: SqliteCommitter): PolicyStore {
  const readNewest = reads.prepare(
    'SELECT coalesce(max(number), 0) AS number FROM policies WHERE account_id = ?',
  );
  const readAll = reads.prepare('SELECT * FROM policies WHERE account_id = ? ORDER BY number DESC');
  const newest = (accountId: string) => (readNewest.get(accountId) as { number: number }).number;

  return {
    async savePolicy(policy, audit) {
      const { accountId } = policy;
      for (let attempt = 1; ; attempt += 1) {
        const number = newest(accountId) + 1;
        const version = versionName(number);
        const save = { sql: SAVE, values: [accountId, number, ...policyValues(policy)] };
        const audited = auditStatements(audit === undefined ? [] : [audit(version)]);
        try {
          await submit({ statements: [NEXT_VERSION, save, ...audited] });
          return { ...policy, version };
        } catch (error) {
          if (attempt === ATTEMPTS || newest(accountId) < number) throw error;
        }
      }
    },
    async policies(accountId) {
      return (readAll.all(accountId) as PolicyRow[]).map(toPolicy);
    },
  };
}

/** Those in force that changed after a version of the directory. */
export function createPolicyChanges(reads: SqliteConnection): (version: number) => StoredPolicy[] {
  const read = reads.prepare(
    `SELECT * FROM policies AS changed WHERE version > ? AND number =
       (SELECT max(number) FROM policies WHERE account_id = changed.account_id) ORDER BY account_id`,
  );
  return (version) => (read.all(version) as PolicyRow[]).map(toPolicy);
}
