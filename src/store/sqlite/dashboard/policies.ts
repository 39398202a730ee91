/** The policies that accounts made, in SQLite: each a version of its own, the newest in force. */
import type { PolicyStore, StoredPolicy } from '../../dashboard-store.ts';
import { decodeText, encodeText } from '../../text.ts';
import type { Committer } from '../committer.ts';
import type { Connection } from '../connection.ts';
import { CURRENT_VERSION, NEXT_VERSION } from './directory-version.ts';

const SAVE = `INSERT INTO policies (account_id, number, weights, created_at, author, note, version)
  VALUES (?, ?, ?, ?, ?, ?, ${CURRENT_VERSION})`;
/** Two people who save at the same moment both get a version. */
const ATTEMPTS = 5;

interface Row {
  readonly account_id: string;
  readonly number: number;
  readonly weights: string;
  readonly created_at: number;
  readonly author: string;
  readonly note: string;
}

export function createPolicyStore(reads: Connection, { submit }: Committer): PolicyStore {
  const readNewest = reads.prepare(
    'SELECT coalesce(max(number), 0) AS number FROM policies WHERE account_id = ?',
  );
  const readAll = reads.prepare('SELECT * FROM policies WHERE account_id = ? ORDER BY number DESC');
  const newest = (accountId: string) => (readNewest.get(accountId) as { number: number }).number;

  return {
    async savePolicy(policy) {
      const { accountId, weights, createdAt, author, note } = policy;
      for (let attempt = 1; ; attempt += 1) {
        const number = newest(accountId) + 1;
        const texts = [encodeText(author), encodeText(note)];
        const values = [accountId, number, JSON.stringify(weights), createdAt, ...texts];
        try {
          await submit({ statements: [NEXT_VERSION, { sql: SAVE, values }] });
          return { ...policy, version: versionName(number) };
        } catch (error) {
          if (attempt === ATTEMPTS || newest(accountId) < number) throw error;
        }
      }
    },
    async policies(accountId) {
      return (readAll.all(accountId) as Row[]).map(toPolicy);
    },
  };
}

/** Those in force that changed after a version of the directory. */
export function createPolicyChanges(reads: Connection): (version: number) => StoredPolicy[] {
  const read = reads.prepare(
    `SELECT * FROM policies AS changed WHERE version > ? AND number =
       (SELECT max(number) FROM policies WHERE account_id = changed.account_id) ORDER BY account_id`,
  );
  return (version) => (read.all(version) as Row[]).map(toPolicy);
}

function toPolicy(row: Row): StoredPolicy {
  return {
    accountId: row.account_id,
    version: versionName(row.number),
    weights: JSON.parse(row.weights) as Record<string, number>,
    createdAt: row.created_at,
    author: decodeText(row.author),
    note: decodeText(row.note),
  };
}

function versionName(number: number): string {
  return `custom-${number}`;
}
