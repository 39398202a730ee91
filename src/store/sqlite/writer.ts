/** The writer thread: commits each batch of jobs in one transaction and answers only after the commit. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type Connection, inTransaction, openConnection } from './connection.ts';
import {
  ASSESSMENT_COLUMNS,
  type CommittedBatch,
  isRecord,
  type Job,
  type JobDone,
  type JobResult,
  type RecordJob,
  writeResult,
} from './jobs.ts';

interface PreparedStatement {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
}

/** Jobs in the order in which they are to be done, or the end. */
type Message = readonly Job[] | 'close';

/** What an account used of a month: before the batch, and as the batch goes on. */
interface Credit {
  readonly accountId: string;
  readonly month: string;
  used: number;
  readonly before: number;
}

const COLUMNS = ASSESSMENT_COLUMNS.length;
const ACCOUNT_AT = ASSESSMENT_COLUMNS.indexOf('account_id');

function createWriter(connection: Connection) {
  const prepared = new Map<string, PreparedStatement>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql) as PreparedStatement;
      prepared.set(sql, statement);
    }
    return statement;
  };
  const nextSeq = prepare('SELECT coalesce(max(seq), 0) + 1 AS seq FROM assessments');
  const insertRow = prepare(
    `INSERT INTO assessments (seq, ${ASSESSMENT_COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(ASSESSMENT_COLUMNS.length)})`,
  );
  const insertDocument = prepare('INSERT INTO assessment_documents (seq, body, evidence) VALUES (?, ?, ?)');
  const readCredits = prepare('SELECT used FROM credits WHERE account_id = ? AND month = ?');
  const writeCredits = prepare(
    'INSERT INTO credits (account_id, month, used) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used = excluded.used',
  );

  /** Runs the jobs inside one transaction. Credits are read once an account and written once an account. */
  function runBatch(jobs: readonly Job[]): number[] {
    const credits = new Map<string, Credit>();
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
    const run = (job: Job): JobDone => {
      if (isRecord(job)) return record(job);
      if (job.unless !== undefined && prepare(job.unless).get() !== undefined)
        return { done: false, used: 0 };
      for (const { sql, values } of job.statements) prepare(sql).run(...values);
      return { done: true, used: 0 };
    };
    const results = jobs.map((job) => writeResult(run(job)));
    for (const { accountId, month, used, before } of credits.values()) {
      if (used !== before) writeCredits.run(accountId, month, used);
    }
    return results;
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
  return function commit(jobs: readonly Job[]): readonly JobResult[] {
    let spoiled = false;
    try {
      return inTransaction(connection, () => {
        spoiled = true;
        const results = runBatch(jobs);
        spoiled = false;
        return results;
      });
    } catch (error) {
      if (spoiled && jobs.length > 1) return jobs.flatMap((job) => commit([job]));
      return jobs.map(() => (error as Error).message);
    }
  };
}

const { file } = workerData as { file: string };
const connection = openConnection(file);
const commit = createWriter(connection);

const port = parentPort as MessagePort;
/** One transaction holds at most about this many jobs. */
const MAX_BATCH = 512;

port.on('message', (message: Message) => {
  const started = performance.now();
  const jobs: Job[] = [];
  let next: Message | undefined = message;
  while (next !== undefined && next !== 'close') {
    jobs.push(...next);
    next = jobs.length < MAX_BATCH ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (jobs.length > 0) {
    const results = commit(jobs);
    port.postMessage({ results, milliseconds: performance.now() - started } satisfies CommittedBatch);
  }
  if (next === 'close') {
    connection.close();
    port.close();
  }
});
