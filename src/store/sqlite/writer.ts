/** The writer thread: commits each batch of jobs in one transaction and answers only after the commit. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
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
  type Statement,
  type StatementResult,
  type StatementsJob,
  TOO_LATE,
  writeFault,
  writeResult,
} from './jobs.ts';

interface PreparedStatement {
  /** Whether it gives rows. */
  readonly reader: boolean;
  run(...values: unknown[]): { changes: number };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

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

function createWriter(connection: SqliteConnection) {
  const prepared = new Map<string, PreparedStatement>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql) as PreparedStatement;
      prepared.set(sql, statement);
    }
    return statement;
  };
  // The numbers of records that were undone are not given twice: the log's index may know them.
  const nextSeq = prepare(`SELECT 1 + max((SELECT coalesce(max(seq), 0) FROM assessments),
    coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS seq`);
  const insertRow = prepare(
    `INSERT INTO assessments (seq, ${ASSESSMENT_COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(ASSESSMENT_COLUMNS.length)})`,
  );
  const insertDocument = prepare('INSERT INTO assessment_documents (seq, body, evidence) VALUES (?, ?, ?)');
  const readCredits = prepare('SELECT used FROM credits WHERE account_id = ? AND month = ?');
  const writeCredits = prepare(
    'INSERT INTO credits (account_id, month, used) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = excluded.used',
  );

  /**
   * Runs the jobs inside one transaction. Credits are read once an account and written once an account, apart from other
   * jobs in between, which may change them too. After a wait for the lock, what nobody waits for any more is left.
   */
  function runBatch(jobs: readonly Job[], deadlines: readonly number[]): JobResult[] {
    const credits = new Map<string, Credit>();
    const now = monotonicMs();
    let seq = -1;
    const record = (job: RecordJob): JobDone => {
      const [body, evidence, month, charge, cap] = job.slice(COLUMNS) as [
        string,
        string,
        string,
        0 | 1,
        number | null,
      ];
      const credit = creditOf(credits, job[ACCOUNT_AT] as string, month);
      if (charge === 1 && cap !== null && credit.used >= cap) return { done: false, used: credit.used };
      if (seq < 0) seq = (nextSeq.get() as { seq: number }).seq;
      insertRow.run([seq, ...job.slice(0, COLUMNS)]);
      insertDocument.run([seq, body, evidence]);
      seq += 1;
      credit.used += charge;
      return { done: true, used: credit.used };
    };
    const results = jobs.map((job, at) => {
      if ((deadlines[at] as number) < now) return TOO_LATE;
      if (isRecord(job)) return writeResult(record(job));
      store(credits);
      return writeResult(runStatements(job));
    });
    store(credits);
    return results;
  }

  /** Whoever needs them afterwards reads them again. */
  function store(credits: Map<string, Credit>): void {
    for (const { accountId, month, used, before } of credits.values()) {
      if (used !== before) writeCredits.run(accountId, month, used);
    }
    credits.clear();
  }

  function runStatements({ statements, unless, tell }: StatementsJob): JobDone {
    if (unless !== undefined && prepare(unless).get() !== undefined) return { done: false, used: 0 };
    let result: StatementResult | undefined;
    for (const statement of statements) result = run(statement);
    return { done: true, used: 0, ...(tell === true && result !== undefined ? { result } : {}) };
  }

  function run({ sql, values }: Statement): StatementResult {
    const statement = prepare(sql);
    if (!statement.reader) return { rows: [], changes: statement.run(...values).changes };
    const rows = statement.all(...values) as SqliteRow[];
    return { rows, changes: rows.length };
  }

  function creditOf(credits: Map<string, Credit>, accountId: string, month: string): Credit {
    const name = `${accountId} ${month}`;
    let credit = credits.get(name);
    if (credit === undefined) {
      const row = readCredits.get(accountId, month) as { used: number } | undefined;
      credit = { accountId, month, used: row?.used ?? 0, before: row?.used ?? 0 };
      credits.set(name, credit);
    }
    return credit;
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
