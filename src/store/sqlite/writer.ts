/** The writer thread: commits each batch of jobs in one transaction and answers only after the commit. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { SqliteStatement } from '../../sqlite-driver.ts';
import { SAVE_KEY } from '../idempotency.ts';
import type { SqlStatement, SqlValue } from '../sql-database.ts';
import { inTransaction, openConnection, type SqliteConnection } from './connection.ts';
import {
  ASSESSMENT_COLUMNS,
  type Chunk,
  type CommittedBatch,
  isRecord,
  type Job,
  type JobDone,
  type JobResult,
  monotonicMs,
  NEWEST_UNDONE,
  type RecordJob,
  type SqliteRow,
  type StatementResult,
  type StatementsJob,
  TOO_LATE,
  writeFault,
  writeResult,
} from './jobs.ts';
import { toSqlite } from './sql-database.ts';

/** What is to be done, or the end. */
type Message = Chunk | 'close';

/** What an account used of a month: before the batch, and as the batch goes on. */
interface Credit {
  readonly accountId: string;
  readonly month: string;
  used: number;
  readonly before: number;
}

const COLUMNS = ASSESSMENT_COLUMNS.length;
const ACCOUNT_AT = ASSESSMENT_COLUMNS.indexOf('account_id');

type Prepare = (sql: string) => SqliteStatement;

/** Each text is prepared once. */
function createPrepare(connection: SqliteConnection): Prepare {
  const prepared = new Map<string, SqliteStatement>();
  return (sql) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
}

/** Credits of a batch: read once an account, and written once, apart from other jobs in between, which may change them too. */
function createCredits(prepare: Prepare) {
  const read = prepare('SELECT used FROM credits WHERE account_id = ? AND month = ?');
  const write = prepare(
    'INSERT INTO credits (account_id, month, used) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = excluded.used',
  );
  const credits = new Map<string, Credit>();
  return {
    of(accountId: string, month: string): Credit {
      const name = `${accountId} ${month}`;
      let credit = credits.get(name);
      if (credit === undefined) {
        const row = read.get(accountId, month) as { used: number } | undefined;
        credit = { accountId, month, used: row?.used ?? 0, before: row?.used ?? 0 };
        credits.set(name, credit);
      }
      return credit;
    },
    /** Later users read them again. */
    store(): void {
      for (const { accountId, month, used, before } of credits.values()) {
        if (used !== before) write.run(accountId, month, used);
      }
      credits.clear();
    },
    /** What a batch that failed left is not stored. */
    forget(): void {
      credits.clear();
    },
  };
}

/** Inserts assessments, up to each account's cap. */
function createRecorder(prepare: Prepare, credits: ReturnType<typeof createCredits>) {
  // The numbers of records that were undone are not given twice: the index of the history may know them.
  const nextSeq = prepare(`SELECT 1 + max((SELECT coalesce(max(seq), 0) FROM assessments),
    coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS seq`);
  const insertRow = prepare(
    `INSERT INTO assessments (seq, ${ASSESSMENT_COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(COLUMNS)})`,
  );
  const insertDocument = prepare('INSERT INTO assessment_documents (seq, body, evidence) VALUES (?, ?, ?)');
  const saveKey = prepare(toSqlite({ sql: SAVE_KEY, values: [] }).sql);
  let seq = -1;
  return {
    /** Other connections may have recorded since the last batch. */
    begin(): void {
      seq = -1;
    },
    record(job: RecordJob): JobDone {
      const [body, evidence, month, charge, cap, key] = job.slice(COLUMNS) as [
        string,
        string,
        string,
        0 | 1,
        number | null,
        SqlValue[] | null,
      ];
      const credit = credits.of(job[ACCOUNT_AT] as string, month);
      if (charge === 1 && cap !== null && credit.used >= cap) return { done: false, used: credit.used };
      if (seq < 0) seq = (nextSeq.get() as { seq: number }).seq;
      insertRow.run([seq, ...job.slice(0, COLUMNS)]);
      insertDocument.run([seq, body, evidence]);
      if (key !== null) saveKey.run(key);
      seq += 1;
      credit.used += charge;
      return { done: true, used: credit.used };
    },
  };
}

function createWriter(connection: SqliteConnection) {
  const prepare = createPrepare(connection);
  const credits = createCredits(prepare);
  const recorder = createRecorder(prepare, credits);

  /** Runs the jobs inside one transaction. After a wait for the lock, what nobody waits for any more is left. */
  function runBatch(jobs: readonly Job[], deadlines: readonly number[]): JobResult[] {
    const now = monotonicMs();
    credits.forget();
    recorder.begin();
    const results = jobs.map((job, at) => {
      if ((deadlines[at] as number) < now) return TOO_LATE;
      if (isRecord(job)) return writeResult(recorder.record(job));
      credits.store();
      return writeResult(runStatements(job));
    });
    credits.store();
    return results;
  }

  function runStatements({ statements, resultOf }: StatementsJob): JobDone {
    const results = statements.map(run);
    const result = resultOf === undefined ? undefined : results[resultOf];
    return { done: true, used: 0, ...(result !== undefined && { result }) };
  }

  function run({ sql, values }: SqlStatement): StatementResult {
    const statement = prepare(sql);
    if (!statement.reader) return { rows: [], changes: statement.run(...values).changes };
    const rows = statement.all(...values) as SqliteRow[];
    return { rows, changes: rows.length };
  }

  /** One transaction for all; where a job spoils it, one each, so that a bad job harms no other. */
  return function commit({ jobs, deadlines }: Chunk): readonly JobResult[] {
    let spoiled = false;
    try {
      return inTransaction(connection, () => {
        spoiled = true;
        const done = runBatch(jobs, deadlines);
        spoiled = false;
        return done;
      });
    } catch (error) {
      const fault = writeFault(error as Error);
      if (spoiled && jobs.length > 1 && !fault.startsWith('SQLITE_FULL'))
        return jobs.flatMap((job, at) => commit({ jobs: [job], deadlines: [deadlines[at] as number] }));
      return jobs.map(() => fault);
    }
  };
}

const { file, lockMs } = workerData as { file: string; lockMs: number };
const connection = openConnection(file, lockMs);
const commit = createWriter(connection);

const port = parentPort as MessagePort;
/** One transaction holds at most about this many jobs. */
const MAX_BATCH = 512;

port.on('message', (message: Message) => {
  const started = performance.now();
  const jobs: Job[] = [];
  const deadlines: number[] = [];
  let next: Message | undefined = message;
  while (next !== undefined && next !== 'close') {
    jobs.push(...next.jobs);
    deadlines.push(...next.deadlines);
    next = jobs.length < MAX_BATCH ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (jobs.length > 0) {
    const results = commit({ jobs, deadlines });
    port.postMessage({ results, milliseconds: performance.now() - started } satisfies CommittedBatch);
  }
  if (next === 'close') {
    connection.close();
    port.close();
  }
});
