/** Deleting an account in both databases: a mark that every process follows, then a few rows of each table at a time. */
import { type AccountContents, type AccountDeletionStore, hashOfAccount } from './account-deletion-store.ts';
import type { SqlDatabase, SqlStatement } from './sql-database.ts';
import { encodeText } from './text.ts';

interface DeletionRow {
  readonly id: string | null;
  readonly at: number;
}

/** Lock by which one process at a time removes accounts. */
const LOCK = 'account deletion';
/** Members who belong to no other account, and are no operators. */
const LONELY = `SELECT m.user_id FROM memberships AS m JOIN auth_users AS u ON u.id = m.user_id
  WHERE m.account_id = $1 AND NOT u.operator
    AND NOT EXISTS (SELECT 1 FROM memberships AS o WHERE o.user_id = m.user_id AND o.account_id <> $1)`;
/** Links have the user's id as their value. The rest of a user goes with the row. */
const REMOVE_USERS = [
  `DELETE FROM auth_verifications WHERE value IN (${LONELY})`,
  `DELETE FROM auth_users WHERE id IN (${LONELY})`,
  'UPDATE auth_users SET home_account = NULL, invited_by = NULL WHERE home_account = $1',
];
/** Few rows each; they refer to the account, so that it cannot go before them. */
const SMALL_TABLES = [
  'saved_filters',
  'memberships',
  'invitations',
  'keys',
  'hooks',
  'event_destinations',
  'manage_tokens',
  'policies',
  'erasures',
  'usual_domains',
  'recall_runs',
  'provider_connections',
];
/** Tables with many rows, and the columns of a row's key. */
const LARGE_TABLES: Readonly<Record<string, string>> = {
  campaigns: 'id',
  campaign_reports: 'request_id',
  attack_actions: 'id',
  recalled_signups: 'request_id',
  feed_flips: 'feed, request_id',
  takeback_accounts: 'job_id, request_id',
  takeback_jobs: 'id',
  appeals: 'request_id',
  outcomes: 'request_id, outcome',
  alerts: 'id',
  mailbox_addresses: 'account_id, mailbox, address',
  feedback: 'request_id',
  challenges: 'request_id',
  idempotency: 'request_id',
  events: 'seq',
  audit: 'seq',
};
/** Ids of entries, in the order of their index. */
const SOME_ENTRIES =
  'SELECT id FROM list_entries WHERE account_id = $1 ORDER BY kind, value, action LIMIT $2';
const BEGIN = `SELECT $2, $1, $3, NEW_VERSION WHERE EXISTS (SELECT 1 FROM accounts WHERE id = $1)
  ON CONFLICT (hash) DO NOTHING RETURNING hash`;
const END =
  'UPDATE account_deletions SET id = NULL WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1) RETURNING hash';

const count = (table: string) => `(SELECT count(*) FROM ${table} WHERE account_id = $1)`;
const CONTENTS = `SELECT ${count('keys')} AS keys, ${count('hooks')} AS hooks, ${count('manage_tokens')} AS tokens,
  ${count('list_entries')} AS "listEntries", ${count('policies')} AS policies, ${count('feedback')} AS feedback,
  ${count('challenges')} AS challenges, ${count('campaigns')} AS campaigns, ${count('audit')} AS "auditEntries", ${count('memberships')} AS members,
  (SELECT count(*) FROM (${LONELY}) AS lonely) AS users, ${count('invitations')} AS invitations,
  (SELECT CAST(coalesce(sum(used), 0) AS bigint) FROM credits WHERE account_id = $1) AS credits`;
const CACHED = `SELECT name, text LIKE $4 AS found FROM knowledge WHERE name > $1 AND name < $2 ORDER BY name LIMIT $3`;

/** Deletions of accounts that began after a version of the directory. */
export async function deletionsSince(
  { query }: Pick<SqlDatabase, 'query'>,
  version: number,
): Promise<string[]> {
  const sql = 'SELECT hash FROM account_deletions WHERE version > $1';
  return (await query<{ hash: string }>(sql, [version])).map(({ hash }) => hash);
}

export function createAccountDeletions(
  database: SqlDatabase,
): Omit<AccountDeletionStore, 'removeAccountAssessments'> {
  const { query, change } = database;
  const lock = database.lock(LOCK);
  const insertMark = `INSERT INTO account_deletions (hash, id, at, version)
    ${BEGIN.replace('NEW_VERSION', database.newVersion('directory'))}`;

  return {
    async accountContents(accountId) {
      return (await query<AccountContents>(CONTENTS, [encodeText(accountId)]))[0] as AccountContents;
    },
    async beginAccountDeletion(accountId, at, ...audit) {
      const small = SMALL_TABLES.map((table) => `DELETE FROM ${table} WHERE account_id = $1`);
      const mark = { sql: insertMark, values: [accountId, hashOfAccount(accountId), at] };
      const removals = statementsFor([...REMOVE_USERS, ...small], accountId);
      await change(audit, ...lock, ...database.nextVersion('directory'), ...removals, mark);
    },
    async findAccountDeletion(accountId) {
      const sql = 'SELECT id, at FROM account_deletions WHERE hash = $1';
      const [row] = await query<DeletionRow>(sql, [hashOfAccount(accountId)]);
      return row && { at: row.at, isDone: row.id === null };
    },
    async unfinishedDeletions() {
      const sql = 'SELECT id FROM account_deletions WHERE id IS NOT NULL ORDER BY id';
      return (await query<{ id: string }>(sql)).map(({ id }) => id);
    },
    removeAccountRows: createRemoveRows(database),
    async finishAccountDeletion(accountId) {
      const small = SMALL_TABLES.map((table) => `DELETE FROM ${table} WHERE account_id = $1`);
      const large = ['list_entries', ...Object.keys(LARGE_TABLES)].map(
        (table) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE account_id = $1)`,
      );
      const statements = [
        ...REMOVE_USERS,
        ...small,
        'DELETE FROM credits WHERE account_id = $1',
        `DELETE FROM accounts WHERE id = $1 AND ${large.join(' AND ')}`,
        END,
      ];
      return (await change([], ...lock, ...statementsFor(statements, accountId))).length > 0;
    },
    async cachedTextsWith(part, { after, to }, limit) {
      const rows = await query<{ name: string; found: boolean | number }>(CACHED, [
        after,
        to,
        limit,
        `%${part}%`,
      ]);
      return rows.map(({ name, found }) => ({ name, found: Boolean(found) }));
    },
  };
}

function statementsFor(statements: readonly string[], accountId: string): SqlStatement[] {
  return statements.map((sql) => ({ sql, values: [accountId] }));
}

function createRemoveRows(database: SqlDatabase): AccountDeletionStore['removeAccountRows'] {
  const { query, change } = database;
  const lock = database.lock(LOCK);
  const noteListRemovals = `INSERT INTO list_removals (id, version)
    SELECT id, (SELECT ${database.newVersion('lists')}) FROM list_entries WHERE id IN (${SOME_ENTRIES})
    ON CONFLICT (id) DO NOTHING`;

  const hasRows = async (table: string, accountId: string) =>
    (await query(`SELECT 1 FROM ${table} WHERE account_id = $1 LIMIT 1`, [encodeText(accountId)])).length > 0;

  async function removeLists(accountId: string, maxRows: number): Promise<boolean> {
    if (!(await hasRows('list_entries', accountId))) return false;
    const values = [accountId, maxRows];
    const note = { sql: noteListRemovals, values };
    const remove = { sql: `DELETE FROM list_entries WHERE id IN (${SOME_ENTRIES}) RETURNING id`, values };
    await change([], ...lock, ...database.nextVersion('lists'), note, remove);
    return true;
  }

  return async (accountId, maxRows) => {
    let found = await removeLists(accountId, maxRows);
    for (const [table, key] of Object.entries(LARGE_TABLES)) {
      if (!(await hasRows(table, accountId))) continue;
      found = true;
      const rows = `SELECT ${key} FROM ${table} WHERE account_id = $1 LIMIT $2`;
      const sql = `DELETE FROM ${table} WHERE (${key}) IN (${rows}) RETURNING ${key}`;
      await change([], ...lock, { sql, values: [accountId, maxRows] });
    }
    return found;
  };
}
