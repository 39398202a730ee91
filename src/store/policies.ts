/** The policies that accounts made, in both databases: numbered within their account; the newest is the current one. */
import type { NewPolicy, PolicyStore, StoredPolicy } from './dashboard-store.ts';
import { insertVersioned, type SqlDatabase, type SqlStatement } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

interface PolicyRow {
  readonly account_id: string;
  readonly number: number;
  readonly weights: string;
  readonly created_at: number;
  readonly author: string;
  readonly note: string;
}

const READ_NEWEST = 'SELECT coalesce(max(number), 0) AS number FROM policies WHERE account_id = $1';
const READ_ALL = 'SELECT * FROM policies WHERE account_id = $1 ORDER BY number DESC';
const READ_CHANGED = `SELECT * FROM policies AS changed WHERE version > $1 AND number =
  (SELECT max(number) FROM policies WHERE account_id = changed.account_id) ORDER BY account_id`;
/** Condition after a lock: of people who save at the same moment, one gets the next number, and the others try again. */
const IF_NUMBER_IS_FREE =
  'WHERE NOT EXISTS (SELECT 1 FROM policies WHERE account_id = $1 AND number = $2) RETURNING number';
const ATTEMPTS = 20;

export function createPolicyStore(database: SqlDatabase): PolicyStore {
  const { query, change } = database;
  const nextVersion = database.nextVersion('directory');
  const newVersion = database.newVersion('directory');

  return {
    async savePolicy(policy, audit) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const number = (await newestNumber(database, policy.accountId)) + 1;
        const version = versionName(number);
        const entries = audit === undefined ? [] : [audit(version)];
        const lock = database.lock(policyLock(policy.accountId));
        const insert = savePolicyStatement(newVersion, policy, number);
        // No new attempt after an error: the policy may have been saved.
        const saved = await change(entries, ...lock, ...nextVersion, insert);
        if (saved.length > 0) return { ...policy, version };
      }
      throw new Error(`policy not saved: ${ATTEMPTS} others of this account were saved meanwhile`);
    },
    async policies(accountId) {
      return (await query<PolicyRow>(READ_ALL, [encodeText(accountId)])).map(toPolicy);
    },
  };
}

/** Number of the account's newest policy; 0 without one. */
export async function newestNumber(
  { query }: Pick<SqlDatabase, 'query'>,
  accountId: string,
): Promise<number> {
  return ((await query<{ number: number }>(READ_NEWEST, [accountId]))[0] as { number: number }).number;
}

/** Lock of those who save a policy of the account. */
export const policyLock = (accountId: string) => `policy ${accountId}`;

/** Gives no row where the number is taken. @param version expression of the new version of the directory */
export function savePolicyStatement(
  version: string,
  { accountId, weights, createdAt, author, note }: NewPolicy,
  number: number,
): SqlStatement {
  const row = {
    account_id: accountId,
    number,
    weights: JSON.stringify(weights),
    created_at: createdAt,
    author: encodeText(author),
    note: encodeText(note),
  };
  return insertVersioned('policies', row, version, IF_NUMBER_IS_FREE);
}

/** Current policies that changed after a version of the directory. */
export async function policiesSince(
  { query }: Pick<SqlDatabase, 'query'>,
  version: number,
): Promise<StoredPolicy[]> {
  return (await query<PolicyRow>(READ_CHANGED, [version])).map(toPolicy);
}

function toPolicy(row: PolicyRow): StoredPolicy {
  return {
    accountId: row.account_id,
    version: versionName(row.number),
    weights: JSON.parse(row.weights) as Record<string, number>,
    createdAt: row.created_at,
    author: decodeText(row.author),
    note: decodeText(row.note),
  };
}

export function versionName(number: number): string {
  return `custom-${number}`;
}
