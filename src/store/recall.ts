/** Recall in both databases: whoever has a run's lease alone saves what it finds, and a killed run goes on where it was. */
import type { Verdict } from '../contract/messages.ts';
import type { RecallCause } from '../model/recall.ts';
import { eventStatement } from './new-event.ts';
import type {
  HeldRecall,
  RecallClaim,
  RecallCount,
  RecalledSignup,
  RecallRun,
  RecallStore,
} from './recall-store.ts';
import type { SqlDatabase, SqlStatement, SqlValue } from './sql-database.ts';
import { decodeText, encodeText } from './text.ts';

type Row = Readonly<Record<string, string | number | null>>;

const REQUEST = `INSERT INTO recall_runs (account_id, id, day, requested_at, began_at, ended_at, since, reached_at, judged, partial, holder, lease_until)
  SELECT id, '', '', CAST($2 AS bigint), 0, 0, 0, 0, 0, 0, '', 0 FROM accounts WHERE id = $1
  ON CONFLICT (account_id) DO UPDATE SET requested_at = coalesce(recall_runs.requested_at, excluded.requested_at) RETURNING account_id`;
/** A run at the hour also does what somebody asked for. Nothing begins beside a run that is under way. */
const begin = (wanted: string) => `INSERT INTO recall_runs
    (account_id, id, day, requested_at, began_at, ended_at, since, reached_at, judged, partial, holder, lease_until)
  SELECT id, $2, $8, CAST(NULL AS bigint), CAST($4 AS bigint), CAST(NULL AS bigint), CAST($6 AS bigint), CAST($7 AS bigint), 0, 0, $3, CAST($5 AS bigint)
    FROM accounts WHERE id = $1 AND ($8 <> '' OR EXISTS (SELECT 1 FROM recall_runs WHERE account_id = $1))
  ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, requested_at = NULL, began_at = excluded.began_at, ended_at = NULL,
    since = excluded.since, reached_at = excluded.reached_at, judged = 0, partial = 0, holder = excluded.holder,
    lease_until = excluded.lease_until, day = CASE WHEN excluded.day > recall_runs.day THEN excluded.day ELSE recall_runs.day END
    WHERE recall_runs.ended_at IS NOT NULL AND ${wanted} RETURNING *`;
const BEGIN_NIGHTLY = begin('recall_runs.day < excluded.day');
const BEGIN_ASKED = begin('recall_runs.requested_at IS NOT NULL');
const RESUME = `UPDATE recall_runs SET holder = $2, lease_until = $4
  WHERE account_id = $1 AND ended_at IS NULL AND lease_until <= $3 RETURNING *`;
const FREE =
  'UPDATE recall_runs SET lease_until = 0 WHERE ended_at IS NULL AND lease_until > 0 RETURNING account_id';
/** Condition for the run of a statement; its values are at these places. */
const held = (first: number) => `EXISTS (SELECT 1 FROM recall_runs AS held WHERE held.account_id = $${first}
  AND held.id = $${first + 1} AND held.holder = $${first + 2} AND held.ended_at IS NULL)`;
/** Values of one signup, in the order of the columns. */
const SIGNUP_VALUES = 10;
const SAVE_COLUMNS =
  'request_id, at, old_verdict, old_score, new_verdict, new_score, cause, cause_id, finding, found_at';
const SAVED_AGAIN = `ON CONFLICT (request_id) DO UPDATE SET run = excluded.run, new_verdict = excluded.new_verdict,
    new_score = excluded.new_score, cause = excluded.cause, cause_id = excluded.cause_id, finding = excluded.finding,
    found_at = CASE WHEN recalled_signups.seen_at IS NOT NULL AND excluded.new_verdict <> recalled_signups.new_verdict
      THEN excluded.found_at ELSE recalled_signups.found_at END,
    seen_at = CASE WHEN excluded.new_verdict <> recalled_signups.new_verdict THEN NULL ELSE recalled_signups.seen_at END`;
const ADVANCE = `UPDATE recall_runs SET reached_at = $4, judged = $5, partial = $6, lease_until = $7
  WHERE account_id = $1 AND id = $2 AND holder = $3 AND ended_at IS NULL RETURNING id`;
const FORGET_OTHERS = `DELETE FROM recalled_signups WHERE account_id = $1 AND run <> $2 AND ${held(1)}`;
const END = `UPDATE recall_runs SET ended_at = $4, lease_until = 0
  WHERE account_id = $1 AND id = $2 AND holder = $3 AND ended_at IS NULL RETURNING id`;
const COUNTS = `SELECT cause, cause_id, new_verdict, CAST(count(*) AS int) AS count,
    CAST(sum(CASE WHEN found_at >= (SELECT began_at FROM recall_runs WHERE account_id = $1) THEN 1 ELSE 0 END) AS int) AS fresh
  FROM recalled_signups WHERE account_id = $1 AND seen_at IS NULL GROUP BY cause, cause_id, new_verdict
  ORDER BY 4 DESC, cause, cause_id, new_verdict`;
const OLD = 'SELECT request_id FROM recalled_signups WHERE at < $1';
/** Places before those of a condition of an event. */
const EVENT_VALUES = 8;

export function createRecallStore(database: SqlDatabase): RecallStore {
  const { query, change } = database;
  const lock = (accountId: string) => database.lock(`recall of ${accountId}`);
  return {
    async recallRuns() {
      return (await query<Row>('SELECT * FROM recall_runs ORDER BY account_id')).map(toRun);
    },
    async recallRun(accountId) {
      const sql = 'SELECT * FROM recall_runs WHERE account_id = $1';
      const [row] = await query<Row>(sql, [encodeText(accountId)]);
      return row && toRun(row);
    },
    async requestRecall(accountId, at, ...audit) {
      await change(audit, { sql: REQUEST, values: [accountId, at] });
    },
    async beginRecall(claim, day) {
      const sql = day === undefined ? BEGIN_ASKED : BEGIN_NIGHTLY;
      const values = [...claimed(claim), claim.since, claim.until, day ?? ''];
      const [row] = await change<Row>([], ...lock(claim.accountId), { sql, values });
      return row && toRun(row);
    },
    async resumeRecall({ accountId, holder, now, leaseUntil }) {
      const [row] = await change<Row>([], { sql: RESUME, values: [accountId, holder, now, leaseUntil] });
      return row && toRun(row);
    },
    async freeRecalls() {
      await change([], { sql: FREE, values: [] });
    },
    async saveRecalled(run, found, { reachedAt, judged, isPartial, leaseUntil }, now) {
      const saves = found.length === 0 ? [] : [saveStatement(run, found, now)];
      const values = [...heldValues(run), reachedAt, judged, isPartial ? 1 : 0, leaseUntil];
      return (await change([], ...lock(run.accountId), ...saves, { sql: ADVANCE, values })).length > 0;
    },
    async endRecall(run, at, data) {
      const forget = { sql: FORGET_OTHERS, values: heldValues(run) };
      const newEvents =
        data === undefined
          ? []
          : [
              eventStatement(
                { accountId: run.accountId, type: 'recall.found', object: run.id, at, data },
                { sql: held(EVENT_VALUES), values: heldValues(run) },
              ),
            ];
      const end = { sql: END, values: [...heldValues(run), at] };
      return (await change([], ...lock(run.accountId), forget, ...newEvents, end)).length > 0;
    },
    ...createRecalledRows(database),
  };
}

type RowsStore = Pick<
  RecallStore,
  | 'forgetRecalled'
  | 'recalledSignups'
  | 'recallCounts'
  | 'countSeenRecalled'
  | 'dismissRecalled'
  | 'pruneRecalled'
>;

function createRecalledRows({ query, change }: Pick<SqlDatabase, 'query' | 'change'>): RowsStore {
  return {
    async forgetRecalled(accountId, requestIds) {
      if (requestIds.length === 0) return;
      const places = requestIds.map((_, at) => `$${at + 2}`).join(', ');
      const sql = `DELETE FROM recalled_signups WHERE account_id = $1 AND request_id IN (${places}) RETURNING request_id`;
      await change([], { sql, values: [accountId, ...requestIds] });
    },
    async recalledSignups(accountId, { cause, causeId, newVerdict }, limit) {
      const values: SqlValue[] = [encodeText(accountId), limit];
      const also = (column: string, value: string | undefined) =>
        value === undefined ? '' : ` AND ${column} = $${values.push(encodeText(value))}`;
      const chosen = also('cause', cause) + also('cause_id', causeId) + also('new_verdict', newVerdict);
      const sql = `SELECT * FROM recalled_signups WHERE account_id = $1 AND seen_at IS NULL${chosen}
        ORDER BY at DESC, request_id DESC LIMIT $2`;
      return (await query<Row>(sql, values)).map(toSignup);
    },
    async recallCounts(accountId) {
      return (await query<Row>(COUNTS, [encodeText(accountId)])).map(toCount);
    },
    async countSeenRecalled(accountId) {
      const sql =
        'SELECT CAST(count(*) AS int) AS count FROM recalled_signups WHERE account_id = $1 AND seen_at IS NOT NULL';
      const [row] = await query<Row>(sql, [encodeText(accountId)]);
      return (row as Row).count as number;
    },
    async dismissRecalled(accountId, at, ...audit) {
      const sql =
        'UPDATE recalled_signups SET seen_at = $2 WHERE account_id = $1 AND seen_at IS NULL RETURNING request_id';
      return (await change(audit, { sql, values: [accountId, at] })).length;
    },
    async pruneRecalled(before, maxPruned) {
      if ((await query(`${OLD} LIMIT 1`, [before])).length === 0) return 0;
      const sql = `DELETE FROM recalled_signups WHERE request_id IN (SELECT request_id FROM (${OLD} ORDER BY request_id LIMIT $2) AS old)
        RETURNING request_id`;
      return (await change([], { sql, values: [before, maxPruned] })).length;
    },
  };
}

const claimed = ({ accountId, id, holder, now, leaseUntil }: RecallClaim) => [
  accountId,
  id,
  holder,
  now,
  leaseUntil,
];
const heldValues = ({ accountId, id, holder }: HeldRecall) => [accountId, id, holder];

/** Saves all at once, while the run is held. Both databases name the columns of a list of values alike. */
function saveStatement(run: HeldRecall, found: readonly RecalledSignup[], now: number): SqlStatement {
  const values: SqlValue[] = [...heldValues(run)];
  const rows = found.map((signup) => {
    const first = values.push(...valuesOf(signup, now)) - SIGNUP_VALUES + 1;
    const place = (at: number) => `$${first + at}`;
    const [at, oldScore, newScore, foundAt] = [1, 3, 5, 9].map((each) => `CAST(${place(each)} AS bigint)`);
    return `(${place(0)}, ${at}, ${place(2)}, ${oldScore}, ${place(4)}, ${newScore}, ${place(6)}, ${place(7)}, ${place(8)}, ${foundAt})`;
  });
  const columns = Array.from({ length: SIGNUP_VALUES }, (_, at) => `v.column${at + 1}`).join(', ');
  const sql = `INSERT INTO recalled_signups (account_id, run, ${SAVE_COLUMNS})
    SELECT $1, $2, ${columns} FROM (VALUES ${rows.join(', ')}) AS v WHERE ${held(1)} ${SAVED_AGAIN}`;
  return { sql, values };
}

function valuesOf(signup: RecalledSignup, now: number): SqlValue[] {
  return [
    signup.requestId,
    signup.at,
    signup.oldVerdict,
    signup.oldScore,
    signup.newVerdict,
    signup.newScore,
    signup.cause,
    encodeText(signup.causeId),
    signup.finding,
    now,
  ];
}

function toRun(row: Row): RecallRun {
  return {
    accountId: row.account_id as string,
    id: row.id as string,
    day: row.day as string,
    requestedAt: row.requested_at as number | null,
    beganAt: row.began_at as number,
    endedAt: row.ended_at as number | null,
    since: row.since as number,
    reachedAt: row.reached_at as number,
    judged: row.judged as number,
    isPartial: row.partial === 1,
    leaseUntil: row.lease_until as number,
  };
}

function toSignup(row: Row): RecalledSignup {
  return {
    requestId: row.request_id as string,
    at: row.at as number,
    oldVerdict: row.old_verdict as Verdict,
    oldScore: row.old_score as number,
    newVerdict: row.new_verdict as Verdict,
    newScore: row.new_score as number,
    cause: row.cause as RecallCause,
    causeId: decodeText(row.cause_id as string),
    finding: row.finding as string,
  };
}

function toCount(row: Row): RecallCount {
  return {
    cause: row.cause as RecallCause,
    causeId: decodeText(row.cause_id as string),
    newVerdict: row.new_verdict as Verdict,
    count: row.count as number,
    fresh: row.fresh as number,
  };
}
