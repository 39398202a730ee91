/** Group commit: what arrives while a batch is under way goes to the server as one call, in one transaction. */
import { Problem } from '../../contract/problem.ts';
import {
  answerOverdue,
  type CommitDeadlines,
  createDeadlineWatch,
  isBehind,
  type PendingWrite,
  refuseOverdue,
} from '../commit-deadlines.ts';
import type { CommitHealth } from '../commit-health.ts';
import { monthOfId } from '../request-time.ts';
import type { AssessmentRecord, Feedback, RecordResult } from '../store.ts';
import { asStoreFailure } from '../store-failure.ts';
import { createUncertainCommits, type UncertainCommits } from '../uncertain-commits.ts';
import { createBatchStarts } from './batch-pace.ts';
import { type BinaryArrays, createBinaryArrays } from './binary-arrays.ts';
import { type Batch, COMMIT, noteCredits, readResults, writeBatch } from './commit-params.ts';
import { type Database, isRefusal, Unreachable } from './database.ts';
import { createKnownMonths } from './partitions.ts';
import { emptyRecord, recordAndUndo, rehearse } from './rehearse-commit.ts';

export interface PostgresCommitter {
  /**
   * Each resolves after the commit, or throws within a second. @throws when it was refused or the server cannot be reached; Problem
   * `unavailable` when too much is waiting or it waited too long: then it was never sent
   */
  record(assessment: AssessmentRecord): Promise<RecordResult>;
  saveFeedback(feedback: Feedback): Promise<unknown>;
  /** Whether another commit would probably be refused, because too many wait for too long. */
  isBehind(): boolean;
  /** Opens the connections for commits and lets each plan a commit, so that the first commit is fast. Stores nothing. @throws when it fails */
  warm(at: number): Promise<void>;
  /** Makes a commit that stores nothing. @throws when it fails */
  rehearse(at: number): Promise<void>;
  /** Commits what is waiting. The database stays open. */
  close(): Promise<void>;
}

export interface PostgresCommitterOptions {
  readonly database: Database;
  readonly deadlines: CommitDeadlines;
  readonly health: Pick<CommitHealth, 'succeeded' | 'failed'>;
  /** Called after each batch with its jobs and how long it took, milliseconds. */
  readonly onBatch: (jobs: number, milliseconds: number) => void;
  readonly onFault: (error: Error) => void;
}

interface Job extends PendingWrite {
  readonly record: AssessmentRecord | undefined;
  readonly feedback: Feedback | undefined;
  resolve(result: RecordResult): void;
}

/** A second batch goes to the server beside the first if that one takes long, or many wait. */
export const LANES = 2;
const MAX_BATCH = 256;
/** More waiting jobs are refused: the server does not keep up. */
const MAX_WAITING = 5_000;
/** Account and month pairs whose credits are remembered. */
const MAX_KNOWN_CREDITS = 100_000;

/** No partition, a missing row of credits, a cap that was near, a deadlock, a conflict: a second attempt may succeed. */
const TRY_AGAIN = new Set(['23514', 'GH001', 'GH002', '40P01', '40001']);
/** Data exceptions and broken constraints: caused by one row. */
const BAD_ROW = /^2[23]/;
const DISK_FULL = '53100';
/** Error of `gatehouse_commit_1`: another node carries out the request of this idempotency key. */
const KEY_TAKEN_OVER = '23G01';
const UNSTORABLE = 'what has no request id cannot be stored';

export function createCommitter(options: PostgresCommitterOptions): PostgresCommitter {
  const { database, health, onBatch, onFault } = options;
  const batches = createBatchCommit({ database, health, onFault });
  const idle = Array.from({ length: LANES }, createBinaryArrays);
  /** Batches with the time at which each started. */
  const underWay = new Map<readonly Job[], number>();
  const starts = createBatchStarts(dispatch);
  const waiting: Job[] = [];
  let scheduled = false;
  let closing: (() => void) | undefined;

  async function submit(record: AssessmentRecord | undefined, feedback?: Feedback): Promise<RecordResult> {
    if (closing !== undefined) throw new Error('the store is closed');
    if (waiting.length >= MAX_WAITING) throw new Problem('unavailable');
    const { requestId } = record ?? (feedback as Feedback);
    if (!batches.isStorable(requestId)) throw new Error(UNSTORABLE);
    return new Promise((resolve, reject) => {
      waiting.push({ since: performance.now(), record, feedback, resolve, reject, answered: false });
      watch.start();
      if (scheduled || idle.length === 0 || starts.isSet(waiting.length)) return;
      scheduled = true;
      // So that requests of the same turn of the event loop share the batch.
      setImmediate(dispatch);
    });
  }

  function dispatch(): void {
    scheduled = false;
    starts.unset();
    while (waiting.length > 0 && idle.length > 0) {
      if (closing === undefined && !starts.isDue(waiting.length, underWay.values())) break;
      const jobs = waiting.splice(0, MAX_BATCH);
      starts.started(jobs.length);
      void run(idle.pop() as BinaryArrays, jobs);
    }
    if (waiting.length > 0 || underWay.size > 0) return;
    watch.stop();
    closing?.();
  }

  /** Dispatches the next batch before it answers, so that the server has work meanwhile. */
  async function run(lane: BinaryArrays, jobs: readonly Job[]): Promise<void> {
    const started = performance.now();
    underWay.set(jobs, started);
    const answer = await batches.commit(lane, jobs);
    underWay.delete(jobs);
    idle.push(lane);
    onBatch(jobs.length, performance.now() - started);
    dispatch();
    answer();
  }

  /** Every caller is answered in time, whatever the server does. */
  const watch = createDeadlineWatch((now) => checkDeadlines(waiting, underWay.keys(), options, now));

  return {
    record: (assessment) => submit(assessment),
    saveFeedback: (feedback) => submit(undefined, feedback),
    isBehind: () => isBehind(waiting, options.deadlines),
    warm: (at) => batches.warm(idle, at),
    rehearse: (at) => recordAndUndo(database, createBinaryArrays(), emptyRecord(at)),
    async close() {
      await new Promise<void>((resolve) => {
        closing = resolve;
        dispatch();
      });
      await batches.close();
    },
  };
}

/** @returns true: it is to be called again */
function checkDeadlines(
  waiting: Job[],
  underWay: Iterable<readonly Job[]>,
  { deadlines, health }: Pick<PostgresCommitterOptions, 'deadlines' | 'health'>,
  now: number,
): true {
  refuseOverdue(waiting, deadlines, now);
  for (const jobs of underWay)
    if (answerOverdue(jobs, deadlines, now))
      health.failed(asStoreFailure(new Error('the database did not answer in time')));
  return true;
}

/** Commits jobs in one transaction, and answers their callers. */
function createBatchCommit({
  database,
  health,
  onFault,
}: Pick<PostgresCommitterOptions, 'database' | 'health' | 'onFault'>) {
  const uncertain = createUncertainCommits({ undo: undoRecords(database), onFault });
  const months = createKnownMonths(database);
  const answers = createAnswers(health, uncertain);
  /** Used last, by account and month. */
  const credits = new Map<string, number>();

  /**
   * Commits a batch; if a bad row breaks it, each half by itself, until the bad row is alone.
   * @returns a function that answers the callers
   */
  async function commit(lane: BinaryArrays, jobs: readonly Job[], again: boolean): Promise<() => void> {
    try {
      const results = await send(lane, jobs);
      health.succeeded();
      return () => answers.committed(jobs, results);
    } catch (error) {
      const code = isRefusal(error) ? (error.code ?? '') : '';
      if (TRY_AGAIN.has(code) && !again) {
        months.forget();
        credits.clear();
        return await commit(lane, jobs, true);
      }
      if (BAD_ROW.test(code) && jobs.length > 1) {
        const half = Math.ceil(jobs.length / 2);
        const first = await commit(lane, jobs.slice(0, half), false);
        first();
        return await commit(lane, jobs.slice(half), false);
      }
      return () => answers.failed(jobs, error as Error);
    }
  }

  async function send(lane: BinaryArrays, jobs: readonly Job[]): Promise<readonly RecordResult[]> {
    const batch = batchOf(jobs);
    const unknown = idsOf(jobs).filter((requestId) => !months.hasPartitions(requestId));
    if (unknown.length > 0) {
      await months.makePartitions(unknown).catch((error: Error) => {
        throw new Unreachable(error.message, { cause: error });
      });
    }
    const rows = await database.query<{ results: string | null }>(COMMIT, writeBatch(batch, lane, credits));
    const results = readResults(rows[0]?.results ?? null);
    if (credits.size > MAX_KNOWN_CREDITS) credits.clear();
    noteCredits(batch, results, credits);
    return results;
  }

  return {
    commit: (lane: BinaryArrays, jobs: readonly Job[]) => commit(lane, jobs, false),
    isStorable: (requestId: string) => months.hasPartitions(requestId) || monthOfId(requestId) !== undefined,
    async warm(lanes: readonly BinaryArrays[], at: number): Promise<void> {
      const records = lanes.map((lane) => ({ lane, record: emptyRecord(at) }));
      await months.makePartitions(records.map(({ record }) => record.requestId));
      await Promise.all(records.map(({ lane, record }) => rehearse(database, lane, record)));
    },
    close: uncertain.close,
  };
}

/** Answers the callers of jobs. */
function createAnswers(health: PostgresCommitterOptions['health'], uncertain: UncertainCommits) {
  return {
    committed(jobs: readonly Job[], results: readonly RecordResult[]): void {
      let at = 0;
      const late: string[] = [];
      for (const job of jobs) {
        const { record, answered } = job;
        const result = record === undefined ? SAVED : (results[at++] as RecordResult);
        if (!answered) job.resolve(result);
        else if (record !== undefined && result.outcome === 'recorded') late.push(record.requestId);
      }
      if (late.length > 0) uncertain.add(late);
    },
    failed(jobs: readonly Job[], error: Error): void {
      const code = isRefusal(error) ? (error.code ?? '') : undefined;
      const certain = code !== undefined || error instanceof Unreachable;
      if (!certain) uncertain.add(jobs.flatMap(({ record }) => record?.requestId ?? []));
      const failure = new Error(`the database failed: ${error.message}`, { cause: error });
      if (code === undefined || !BAD_ROW.test(code)) health.failed(asStoreFailure(failure));
      const answer = toProblem(code) ?? failure;
      for (const job of jobs) if (!job.answered) job.reject(answer);
    },
  };
}

function toProblem(code: string | undefined): Problem | undefined {
  if (code === DISK_FULL) return asStoreFailure(new Problem('storage_full'));
  return code === KEY_TAKEN_OVER ? new Problem('unavailable') : undefined;
}

const SAVED: RecordResult = { outcome: 'recorded', used: 0 };

function idsOf(jobs: readonly Job[]): string[] {
  return jobs.map(({ record, feedback }) => (record ?? (feedback as Feedback)).requestId);
}

function batchOf(jobs: readonly Job[]): Batch {
  const records = jobs.flatMap(({ record }) => record ?? []);
  const newest = new Map(jobs.flatMap(({ feedback }) => (feedback ? [[feedback.requestId, feedback]] : [])));
  const feedback = [...newest.values()].sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
  return { records, feedback };
}

/** Removes records whose callers got an error, with their credits. */
export const undoRecords =
  ({ query }: Pick<Database, 'query'>) =>
  (requestIds: readonly string[]) =>
    query('SELECT gatehouse_undo_1($1::text[])', [requestIds]);
