/** Reads what velocity counts of the stored assessments, oldest first, without reading the rest of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttemptChunk, VelocityEvent } from '../../model/velocity-event.ts';
import { firstIdAt, timeOfId } from '../request-time.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { AssessmentStore } from '../store.ts';
import { ROW_END } from './attempt-lines.ts';
import { createAttemptOrder } from './attempt-order.ts';
import { type Blob, toBytes } from './batch-checksum.ts';
import { MAX_SPAN_MS } from './batch-rows.ts';
import { type BatchTexts, readAttempts } from './batch-text.ts';
import { createEventOrder } from './event-order.ts';

/** An id is made at most this long before its assessment's `at` is read. */
const ID_LEAD_MS = 1_000;
/** Batches a page, with at most 32 records each. */
const PAGE_ROWS = 256;
/** Batches that are made into objects in some milliseconds: signups wait as long. */
const STEP_ROWS = 32;

/** A row as bytes, see `BATCH_COLUMNS`. */
interface Row {
  readonly last: Blob;
  readonly ids: Blob;
  readonly attempts: Blob;
}

/** The attempts of many rows: one value costs a fraction of what one for each of them does. */
interface ByteRows {
  /** `null` where there is no row. */
  readonly last: Blob | null;
  readonly count: number;
  /** Divided by `ROW_END`. */
  readonly attempts: Blob | null;
}

export type LiveAttempts = Pick<AssessmentStore, 'liveAttempts' | 'attemptsToCount'>;

export function createLiveAttempts(
  connection: SqliteConnection,
  { pageRows = PAGE_ROWS, stepRows = STEP_ROWS } = {},
): LiveAttempts {
  const readRows = connection.prepare(`SELECT CAST(last_id AS BLOB) AS last, CAST(ids AS BLOB) AS ids,
    CAST(attempts AS BLOB) AS attempts FROM assessment_batches WHERE last_id > ? ORDER BY last_id LIMIT ?`);
  const readBytes = connection.prepare(`SELECT CAST(max(last_id) AS BLOB) AS last, count(*) AS count,
      CAST(group_concat(attempts, char(${ROW_END})) AS BLOB) AS attempts
    FROM (SELECT last_id, attempts FROM assessment_batches WHERE last_id > ? ORDER BY last_id LIMIT ?)`);

  /**
   * Batches overlap in time: what a later one may come before waits. Yields a list after each step; an empty one where too
   * few are in order yet.
   */
  function* batchSteps(since: number, accountId: string | undefined): Generator<VelocityEvent[]> {
    let after = firstIdAt(since - ID_LEAD_MS);
    const waiting = createEventOrder();
    for (;;) {
      const rows = readRows.all(after, stepRows) as Row[];
      for (const row of rows) waiting.add(readAttempts(toTexts(row), since, accountId));
      if (rows.length < stepRows) break;
      after = toBytes((rows.at(-1) as Row).last).toString();
      yield waiting.take(firstIdAt((timeOfId(after) ?? 0) - MAX_SPAN_MS));
    }
    yield* waiting.rest();
  }

  async function* liveAttempts(since: number, accountId?: string) {
    for (const chunk of batchSteps(since, accountId)) {
      if (chunk.length > 0) yield chunk;
      await nextTurn();
    }
  }

  async function* attemptsToCount(since: number): AsyncIterable<AttemptChunk> {
    let after = firstIdAt(since - ID_LEAD_MS);
    const order = createAttemptOrder(since);
    // As above: what is not taken is copied.
    let left = 0;
    for (;;) {
      const { last, count, attempts } = readBytes.get(after, pageRows) as ByteRows;
      order.add(toBytes(attempts));
      if (count < pageRows) break;
      after = toBytes(last).toString();
      if (order.waiting() < 2 * left) continue;
      yield order.take((timeOfId(after) ?? 0) - MAX_SPAN_MS);
      left = order.waiting();
    }
    yield order.take(Number.POSITIVE_INFINITY);
  }

  return { liveAttempts, attemptsToCount };
}

function toTexts({ ids, attempts }: Row): Pick<BatchTexts, 'ids' | 'attempts'> {
  return { ids: toBytes(ids).toString(), attempts: toBytes(attempts).toString() };
}
