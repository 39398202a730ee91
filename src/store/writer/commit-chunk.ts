/** Commits a chunk of jobs in one transaction, on whichever thread has the write connection. */
import type { Prepare, SqliteStatement } from '../../platform/sqlite-driver.ts';
import { type RecordBatch, toSingleRecords } from '../records/record-batch.ts';
import { createCredits, createRecorder } from '../records/recorder.ts';
import type { SqlStatement } from '../sql-database.ts';
import { inTransaction, type SqliteConnection } from '../sqlite-connection.ts';
import {
  type JobDone,
  type JobResult,
  type SqliteRow,
  type StatementResult,
  type StatementsJob,
  TOO_LATE,
  writeResult,
} from '../sqlite-jobs.ts';
import { type Chunk, monotonicMs, writeFault } from './chunk.ts';

type Work = Chunk['work'][number];

/** Returns the results in the order of the jobs; what fails is a result as well. */
export function createCommitChunk(connection: SqliteConnection): (chunk: Chunk) => readonly JobResult[] {
  const prepare = createPrepare(connection);
  const credits = createCredits(prepare);
  const recorder = createRecorder(prepare, credits);
  let lockMs: number | undefined;

  /** Runs the jobs inside one transaction. After a wait for the lock, what nobody waits for any more is left. */
  function runChunk({ work, deadlines }: Chunk): JobResult[] {
    const now = monotonicMs();
    credits.forget();
    recorder.begin();
    const results: JobResult[] = [];
    for (const each of work) {
      const first = results.length;
      const isLate = (place: number) => (deadlines[first + place] as number) < now;
      if (isBatch(each)) results.push(...recorder.record(each, isLate));
      else if (isLate(0)) results.push(TOO_LATE);
      else {
        credits.store();
        results.push(writeResult(runStatements(each)));
      }
    }
    credits.store();
    return results;
  }

  function runStatements({ statements, resultOf, condition, erased = [] }: StatementsJob): JobDone {
    if (condition !== undefined && run(condition).rows.length === 0) return { outcome: 'recorded', used: 0 };
    if (erased.length > 0) recorder.erase(erased);
    const results = statements.map(run);
    const result = resultOf === undefined ? undefined : results[resultOf];
    return { outcome: 'recorded', used: 0, ...(result !== undefined && { result }) };
  }

  function run({ sql, values }: SqlStatement): StatementResult {
    const statement = prepare(sql);
    if (!statement.reader) return { rows: [], changes: statement.run(...values).changes };
    const rows = statement.all(...values) as SqliteRow[];
    return { rows, changes: rows.length };
  }

  /** One transaction for all; where a job spoils it, one each, so that a bad job harms no other. */
  return function commit(chunk: Chunk): readonly JobResult[] {
    let isJobFault = false;
    try {
      if (chunk.lockMs !== lockMs) {
        connection.pragma(`busy_timeout = ${chunk.lockMs}`);
        lockMs = chunk.lockMs;
      }
      return inTransaction(connection, () => {
        isJobFault = true;
        const results = runChunk(chunk);
        isJobFault = false;
        return results;
      });
    } catch (error) {
      const fault = writeFault(error as Error);
      if (isJobFault && chunk.deadlines.length > 1 && !fault.startsWith('SQLITE_FULL'))
        return toSingles(chunk).flatMap((single) => [...commit(single)]);
      return chunk.deadlines.map(() => fault);
    }
  };
}

function isBatch(work: Work): work is RecordBatch {
  return 'ids' in work;
}

/** Each job by itself. */
function toSingles({ work, deadlines, lockMs }: Chunk): Chunk[] {
  const singles = work.flatMap((each): Work[] => (isBatch(each) ? toSingleRecords(each) : [each]));
  return singles.map((each, at) => ({ work: [each], deadlines: [deadlines[at] as number], lockMs }));
}

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
