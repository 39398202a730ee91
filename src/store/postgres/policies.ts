/** The policies that accounts made, in PostgreSQL: each a version of its own, the newest in force. */
import type { PolicyStore, StoredPolicy } from '../dashboard-store.ts';
import { type PolicyRow, policyValues, toPolicy, versionName } from '../policy-row.ts';
import { encodeText } from '../text.ts';
import { appendAudit } from './audit.ts';
import type { Database, Query } from './database.ts';

// The directory's version is written first: its lock makes those who save at the same moment come one by one.
const SAVE = `INSERT INTO policies (account_id, number, weights, created_at, author, note, version)
  SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6 FROM policies WHERE account_id = $1
  RETURNING number`;
const READ_ALL = 'SELECT * FROM policies WHERE account_id = $1 ORDER BY number DESC';
const READ_CHANGED = `SELECT * FROM policies AS changed WHERE version > $1 AND number =
  (SELECT max(number) FROM policies WHERE account_id = changed.account_id) ORDER BY account_id`;

/** Runs a change of the directory in one transaction, with the version that it is stamped with. */
export type ChangeDirectory = <T>(work: (query: Query, version: number) => Promise<T>) => Promise<T>;

export function createPolicyStore({ query }: Pick<Database, 'query'>, change: ChangeDirectory): PolicyStore {
  return {
    savePolicy: (policy, audit) =>
      change(async (run, version) => {
        const values = [policy.accountId, ...policyValues(policy), version];
        const [saved] = await run<{ number: number }>(SAVE, values);
        const name = versionName((saved as { number: number }).number);
        if (audit !== undefined) await appendAudit(run, [audit(name)]);
        return { ...policy, version: name };
      }),
    async policies(accountId) {
      return (await query<PolicyRow>(READ_ALL, [encodeText(accountId)])).map(toPolicy);
    },
  };
}

/** Those in force that changed after a version of the directory. */
export async function policiesSince(query: Query, version: number): Promise<StoredPolicy[]> {
  return (await query<PolicyRow>(READ_CHANGED, [version])).map(toPolicy);
}
