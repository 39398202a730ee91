/** Jobs that hold accounts at providers, in both databases: who works on one has it for the time of a lease, and what an account was is written once. */
import {
  type AccountState,
  type TakeBackAccount,
  type TakeBackJob,
  TOLD_ACCOUNTS,
} from '../model/take-back.ts';
import { eventStatement } from './new-event.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
import type { AccountCounts, NewTakeBackAccount, NewTakeBackJob, TakeBackStore } from './take-back-store.ts';
import { decodeText, encodeText } from './text.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Lock under which jobs are handed out: of two jobs of one connection, two nodes must not take one each. */
const LOCK = 'take back';
/** Rows of one statement. */
const INSERTED_ROWS = 200;

const INSERT_JOB = `INSERT INTO takeback_jobs (id, account_id, connection_id, name, attack, author, phase, state, created_at, ended_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'hold', $7, $8, $9) RETURNING id`;
const INSERT_ACCOUNTS =
  'INSERT INTO takeback_accounts (job_id, account_id, request_id, session_id, at, user_id, state) VALUES';
const COUNTS = `SELECT state, CAST(count(*) AS int) AS count FROM takeback_accounts
  WHERE job_id = $1 AND account_id = $2 GROUP BY state`;
const PAGE = `SELECT * FROM takeback_accounts WHERE job_id = $1 AND account_id = $2 AND request_id > $3
  ORDER BY request_id LIMIT $4`;
const DUE_JOB = `state = 'running' AND next_at <= $1 AND lease_until <= $1 AND NOT EXISTS (SELECT 1 FROM takeback_jobs AS o
  WHERE o.connection_id = takeback_jobs.connection_id AND o.id <> takeback_jobs.id AND o.lease_until > $1)`;
const CLAIM = `UPDATE takeback_jobs SET run = run + 1, lease_until = $2
  WHERE id = (SELECT id FROM takeback_jobs WHERE ${DUE_JOB} ORDER BY next_at, id LIMIT 1) RETURNING *`;
const RENEW = `UPDATE takeback_jobs SET lease_until = $4 WHERE id = $1 AND run = $2 AND state = 'running' AND phase = $3
  RETURNING id`;
/** States of accounts that have something left to do. */
const OPEN_STATES = { hold: "('waiting', 'sent')", release: "('sent', 'held', 'releasing')" } as const;
const HAS_TURN = 'EXISTS (SELECT 1 FROM takeback_jobs AS j WHERE j.id = $1 AND j.run = $2)';
const REMEMBER = `UPDATE takeback_accounts SET state = 'sent', before_hold = $4
  WHERE job_id = $1 AND request_id = $3 AND ${HAS_TURN} RETURNING request_id`;
const NOTE = `UPDATE takeback_accounts SET state = $4, tries = $5, next_at = $6, problem = $7
  WHERE job_id = $1 AND request_id = $3 AND ${HAS_TURN} RETURNING request_id`;
const END_TURN = `UPDATE takeback_jobs SET lease_until = 0, next_at = $3, problem = $5,
  state = CASE WHEN state = 'running' AND phase = $7 THEN $4 ELSE state END,
  ended_at = CASE WHEN state = 'running' AND phase = $7 THEN CAST($6 AS bigint) ELSE ended_at END
  WHERE id = $1 AND run = $2 RETURNING id`;
const DIRECT = `UPDATE takeback_jobs SET state = $3, phase = $4, ended_at = CAST($5 AS bigint), next_at = 0, problem = NULL
  WHERE account_id = $1 AND id = $2 AND phase = $6`;
/** Accounts that were given up are tried again, each with what was done about it before. */
const TRY_AGAIN = `UPDATE takeback_accounts SET state = CASE WHEN before_hold IS NULL THEN 'waiting' ELSE 'sent' END, tries = 0,
  next_at = 0, problem = NULL WHERE account_id = $1 AND job_id = $2 AND state = 'failed'`;
const NAME = `UPDATE takeback_accounts SET user_id = $4, state = 'waiting', tries = 0, next_at = 0, problem = NULL
  WHERE job_id = $1 AND account_id = $2 AND request_id = $3 AND user_id IS NULL
    AND EXISTS (SELECT 1 FROM takeback_jobs AS j WHERE j.id = $1 AND j.phase = 'hold' AND j.connection_id IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM takeback_accounts AS o WHERE o.job_id = $1 AND o.user_id = $4) RETURNING request_id`;
const RESTART = `UPDATE takeback_jobs SET state = 'running', ended_at = NULL, next_at = 0
  WHERE account_id = $1 AND id = $2 AND phase = 'hold' RETURNING id`;
const OLD = "SELECT id FROM takeback_jobs WHERE created_at < $1 AND state <> 'running'";

export function createTakeBackStore(database: SqlDatabase): TakeBackStore {
  return { ...createJobs(database), ...createTurns(database) };
}

type Jobs = Pick<
  TakeBackStore,
  | 'saveTakeBack'
  | 'takeBackJob'
  | 'takeBackJobs'
  | 'takeBackCounts'
  | 'takeBackAccounts'
  | 'takeBacksOf'
  | 'directTakeBack'
  | 'nameTakeBackAccounts'
  | 'pruneTakeBacks'
>;

function createJobs({ query, change }: Pick<SqlDatabase, 'query' | 'change'>): Jobs {
  return {
    async saveTakeBack(job, accounts, ...audit) {
      const sorted = [...accounts].sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
      const chunks = chunksOf(sorted, INSERTED_ROWS).map((rows) => insertAccounts(job, rows));
      // The job goes first, because accounts refer to it; the last statement is the one that the log depends on.
      const last = { sql: 'UPDATE takeback_jobs SET run = run WHERE id = $1 RETURNING id', values: [job.id] };
      await change(audit, insertJob(job), ...chunks, ...toldStatements(job, sorted), last);
    },
    async takeBackJob(accountId, id) {
      const sql = 'SELECT * FROM takeback_jobs WHERE account_id = $1 AND id = $2';
      const [row] = await query<Row>(sql, [accountId, encodeText(id)]);
      return row && toJob(row);
    },
    async takeBackJobs(accountId, limit, attack) {
      const filter = attack === undefined ? '' : ' AND attack = $3';
      const sql = `SELECT * FROM takeback_jobs WHERE account_id = $1${filter} ORDER BY id DESC LIMIT $2`;
      const values = attack === undefined ? [accountId, limit] : [accountId, limit, encodeText(attack)];
      return (await query<Row>(sql, values)).map(toJob);
    },
    async takeBackCounts(accountId, jobId) {
      const rows = await query<{ state: AccountState; count: number }>(COUNTS, [
        encodeText(jobId),
        accountId,
      ]);
      const counts = { ...NONE };
      for (const { state, count } of rows) counts[state] = count;
      return counts;
    },
    async takeBackAccounts(accountId, jobId, after, limit) {
      return (await query<Row>(PAGE, [encodeText(jobId), accountId, encodeText(after), limit])).map(
        toAccount,
      );
    },
    async takeBacksOf(accountId, requestId) {
      const sql = 'SELECT * FROM takeback_accounts WHERE account_id = $1 AND request_id = $2 ORDER BY job_id';
      return (await query<Row>(sql, [accountId, encodeText(requestId)])).map(toAccount);
    },
    async directTakeBack(accountId, jobId, { from, fromPhase, state, phase, at }, ...audit) {
      const values = [accountId, encodeText(jobId), state, phase, state === 'running' ? null : at, fromPhase];
      const states = from.map((each) => `'${each}'`).join(', ');
      const direct = { sql: `${DIRECT} AND state IN (${states}) RETURNING id`, values };
      const again = { sql: TRY_AGAIN, values: [accountId, encodeText(jobId)] };
      return (await change(audit, ...(state === 'running' ? [again] : []), direct)).length > 0;
    },
    async nameTakeBackAccounts(accountId, jobId, ids, ...audit) {
      let named = 0;
      for (const { requestId, userId } of ids) {
        const values = [encodeText(jobId), accountId, encodeText(requestId), encodeText(userId)];
        named += (await change([], { sql: NAME, values })).length;
      }
      if (named > 0) await change(audit, { sql: RESTART, values: [accountId, encodeText(jobId)] });
      return named;
    },
    async pruneTakeBacks(before, maxPruned) {
      const jobs = await query<{ id: string }>(`${OLD} ORDER BY created_at LIMIT 1`, [before]);
      const [job] = jobs;
      if (job === undefined) return 0;
      const some = 'SELECT request_id FROM takeback_accounts WHERE job_id = $1 LIMIT $2';
      const sql = `DELETE FROM takeback_accounts WHERE job_id = $1 AND request_id IN (${some}) RETURNING request_id`;
      const removed = (await change([], { sql, values: [job.id, maxPruned] })).length;
      if (removed === maxPruned) return removed;
      await change([], { sql: 'DELETE FROM takeback_jobs WHERE id = $1 RETURNING id', values: [job.id] });
      // There may be another job.
      return maxPruned;
    },
  };
}

function createTurns({
  query,
  change,
  lock,
}: Pick<SqlDatabase, 'query' | 'change' | 'lock'>): Omit<TakeBackStore, keyof Jobs> {
  return {
    async claimTakeBack(now, leaseUntil) {
      if ((await query(`SELECT id FROM takeback_jobs WHERE ${DUE_JOB} LIMIT 1`, [now])).length === 0)
        return undefined;
      const [row] = await change<Row>([], ...lock(LOCK), { sql: CLAIM, values: [now, leaseUntil] });
      return row && toJob(row);
    },
    async freeTakeBacks() {
      const sql = 'UPDATE takeback_jobs SET lease_until = 0 WHERE lease_until > 0 RETURNING id';
      await change([], { sql, values: [] });
    },
    async renewTakeBack({ jobId, run }, phase, leaseUntil) {
      return (await change([], { sql: RENEW, values: [jobId, run, phase, leaseUntil] })).length > 0;
    },
    async dueTakeBackAccounts({ jobId }, phase, now, limit) {
      const sql = `SELECT * FROM takeback_accounts WHERE job_id = $1 AND state IN ${OPEN_STATES[phase]} AND next_at <= $2
        ORDER BY next_at, request_id LIMIT $3`;
      return (await query<Row>(sql, [jobId, now, limit])).map(toAccount);
    },
    async nextTakeBackAccount({ jobId }, phase) {
      const sql = `SELECT min(next_at) AS next_at FROM takeback_accounts WHERE job_id = $1 AND state IN ${OPEN_STATES[phase]}`;
      const [row] = await query<{ next_at: number | null }>(sql, [jobId]);
      return row?.next_at ?? undefined;
    },
    async rememberAccount({ jobId, run }, requestId, before) {
      const values = [jobId, run, requestId, encodeText(JSON.stringify(before))];
      return (await change([], { sql: REMEMBER, values })).length > 0;
    },
    async noteAccount({ jobId, run }, requestId, { state, tries, nextAt, problem }) {
      const text = problem === null ? null : encodeText(problem);
      const values = [jobId, run, requestId, state, tries, nextAt, text];
      return (await change([], { sql: NOTE, values })).length > 0;
    },
    async endTurn({ jobId, run }, phase, { state, nextAt, problem, at }) {
      const text = problem === null ? null : encodeText(problem);
      const values = [jobId, run, nextAt, state, text, state === 'running' ? null : at, phase];
      await change([], { sql: END_TURN, values });
    },
  };
}

const NONE: Record<AccountState, number> & AccountCounts = {
  waiting: 0,
  sent: 0,
  held: 0,
  already: 0,
  missing: 0,
  failed: 0,
  releasing: 0,
  released: 0,
  changed: 0,
};

function insertJob({
  id,
  accountId,
  connectionId,
  name,
  attack,
  by,
  state,
  createdAt,
}: NewTakeBackJob): SqlStatement {
  const endedAt = state === 'running' ? null : createdAt;
  const texts = [encodeText(name), attack, encodeText(by)];
  return { sql: INSERT_JOB, values: [id, accountId, connectionId, ...texts, state, createdAt, endedAt] };
}

function insertAccounts(
  { id, accountId }: NewTakeBackJob,
  rows: readonly NewTakeBackAccount[],
): SqlStatement {
  const values: SqlValue[] = [id, accountId];
  const bind = (value: SqlValue) => `$${values.push(value)}`;
  const text = (value: string | null) => bind(value === null ? null : encodeText(value));
  const lines = rows.map(
    ({ requestId, sessionId, at, userId, state }) =>
      `($1, $2, ${bind(requestId)}, ${text(sessionId)}, CAST(${bind(at)} AS bigint), ${text(userId)}, ${bind(state)})`,
  );
  return { sql: `${INSERT_ACCOUNTS} ${lines.join(', ')}`, values };
}

/** Events name parts of the job: its accounts are read when they are sent, so one that was erased is told no more. */
function toldStatements(
  { id, accountId, createdAt: at }: NewTakeBackJob,
  sorted: readonly NewTakeBackAccount[],
): SqlStatement[] {
  const parts = chunksOf(sorted, TOLD_ACCOUNTS);
  return parts.map((accounts, part) => {
    const after = parts[part - 1]?.at(-1)?.requestId ?? '';
    const data = { part: part + 1, parts: parts.length, after, last: accounts.at(-1)?.requestId };
    return eventStatement({ accountId, type: 'takeback.accounts', object: id, at, data });
  });
}

function chunksOf<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function toJob(row: Row): TakeBackJob {
  const { problem } = row;
  return {
    id: row.id as string,
    accountId: row.account_id as string,
    connectionId: row.connection_id as string | null,
    name: decodeText(row.name as string),
    attack: row.attack as string | null,
    by: decodeText(row.author as string),
    phase: row.phase as TakeBackJob['phase'],
    state: row.state as TakeBackJob['state'],
    problem: problem === null ? null : decodeText(problem as string),
    nextAt: row.next_at as number,
    run: row.run as number,
    createdAt: row.created_at as number,
    endedAt: row.ended_at as number | null,
  };
}

function toAccount(row: Row): TakeBackAccount {
  const text = (value: Row[string] | undefined) => (typeof value === 'string' ? decodeText(value) : null);
  const before = text(row.before_hold);
  return {
    requestId: row.request_id as string,
    sessionId: text(row.session_id),
    at: row.at as number,
    userId: text(row.user_id),
    state: row.state as AccountState,
    before: before === null ? null : JSON.parse(before),
    tries: row.tries as number,
    nextAt: row.next_at as number,
    problem: text(row.problem),
  };
}
