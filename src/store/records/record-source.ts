/** Reads stored assessments: by number, by id or in order of commit; and has the SQL that says which numbers there are. */
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';
import { BATCH_COLUMNS, DamagedBatch, FIND_BATCH, readChecked, type StoredBatch } from './batch-checksum.ts';
import { type BatchMemoryOptions, createBatchMemory } from './batch-memory.ts';
import { endOfRange, MAX_RECORDS } from './batch-rows.ts';
import { type BatchRow, readBatch } from './batch-text.ts';

export interface RecordSource {
  /** No number up to this is given to another record any more; 0: there are none. */
  newestSeq(): number;
  /** Records with a higher number, oldest first, at least `limit` where there are so many: up to the end of a batch. */
  readAfter(seq: number, limit: number): readonly NumberedAssessment[];
  /** Reads records and makes each into something else as soon as it is read, so that few are in memory. */
  mapAfter<R>(seq: number, limit: number, make: (record: NumberedAssessment) => R): readonly R[];
  /** Records that are still stored, in the order of their numbers. */
  read(seqs: readonly number[]): readonly NumberedAssessment[];
  findById(requestId: string): NumberedAssessment | undefined;
}

/** Name in the table `installation` of the highest `seq` of a record that was undone. */
export const NEWEST_UNDONE = 'newest_undone_seq';
/** The newest number that was given. */
export const NEWEST_SEQ = `SELECT max(coalesce((SELECT seq + count - 1 FROM assessment_batches ORDER BY seq DESC LIMIT 1), 0),
  coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS seq`;
export const COUNT_RECORDS = 'SELECT coalesce(sum(count), 0) AS n FROM assessment_batches';

const MAX_ROWS_AT_ONCE = 256;

export interface RecordSourceOptions {
  /** Keeps what `findById` has read. Default: it keeps nothing. */
  readonly memory?: BatchMemoryOptions;
  /** Called for each damaged batch, which lists then leave out; without it, reading one throws. */
  readonly onDamaged?: (damage: Pick<DamagedBatch, 'seq' | 'message'>) => void;
}

/** Finding a record in a damaged batch throws DamagedBatch. */
export function createRecordSource(
  connection: SqliteConnection,
  { memory: options, onDamaged }: RecordSourceOptions = {},
): RecordSource {
  const readNewest = connection.prepare(NEWEST_SEQ);
  const findRow = connection.prepare(FIND_BATCH);
  const batched = createBatchReads(connection, onDamaged);
  const memory = options && createBatchMemory(connection, options);

  return {
    newestSeq: () => (readNewest.get() as { seq: number }).seq,
    readAfter: (seq, limit) => batched.after(seq, limit, (record) => record),
    mapAfter: batched.after,
    read: (seqs) => batched.read([...seqs].sort((a, b) => a - b)),
    findById(requestId) {
      if (memory !== undefined) return memory.find(requestId);
      const row = findRow.get(requestId, endOfRange(requestId)) as StoredBatch | undefined;
      return row && readBatch(readChecked(row), (_, id) => id === requestId)[0];
    },
  };
}

function createBatchReads(connection: SqliteConnection, onDamaged: RecordSourceOptions['onDamaged']) {
  /** Last number of a row, read without its texts: most are longer than a page. */
  const endOf = connection.prepare(
    'SELECT seq + count - 1 AS last FROM assessment_batches WHERE seq <= ? ORDER BY seq DESC LIMIT 1',
  );
  /** The batch that a number is in, or comes after. */
  const rowOf = connection.prepare(
    `SELECT ${BATCH_COLUMNS}, count FROM assessment_batches WHERE seq <= ? ORDER BY seq DESC LIMIT 1`,
  );
  const rowsAfter = connection.prepare(
    `SELECT ${BATCH_COLUMNS} FROM assessment_batches WHERE seq > ? ORDER BY seq LIMIT ?`,
  );

  /** @param isWanted by their places; default: all */
  function recordsOf(row: StoredBatch, isWanted?: (place: number) => boolean): NumberedAssessment[] {
    let batch: BatchRow;
    try {
      batch = readChecked(row);
    } catch (error) {
      if (onDamaged === undefined || !(error instanceof DamagedBatch)) throw error;
      onDamaged(error);
      return [];
    }
    return readBatch(batch, isWanted);
  }

  /** @param make of each record as soon as it is read, so that few are in memory */
  function batchesAfter<R>(seq: number, limit: number, make: (record: NumberedAssessment) => R): R[] {
    const records = restOfBatch(seq).map(make);
    let [last, rowsRead] = [seq, 0];
    while (records.length < limit) {
      // As many as it takes if they are full; from the second time on, if they are like those before.
      const aRow = rowsRead === 0 ? MAX_RECORDS : Math.max(1, records.length / rowsRead);
      const count = Math.min(MAX_ROWS_AT_ONCE, Math.ceil((limit - records.length) / aRow));
      // Not iterated: a statement that is left in the middle would keep the log of the database from being emptied.
      const rows = rowsAfter.all(last, count) as StoredBatch[];
      for (const next of rows) records.push(...recordsOf(next).map(make));
      if (rows.length < count) break;
      last = (rows.at(-1) as StoredBatch).seq;
      rowsRead += count;
    }
    return records;
  }

  /** The later records of the batch that a number is in. */
  function restOfBatch(seq: number): NumberedAssessment[] {
    const end = endOf.get(seq) as { last: number } | undefined;
    if (end === undefined || end.last <= seq) return [];
    const row = rowOf.get(seq) as StoredBatch;
    return recordsOf(row, (place) => row.seq + place > seq);
  }

  function readBatches(sorted: readonly number[]): NumberedAssessment[] {
    const records: NumberedAssessment[] = [];
    for (let next = 0; next < sorted.length; ) {
      const row = rowOf.get(sorted[next]) as (StoredBatch & { count: number }) | undefined;
      const end = row === undefined ? 0 : row.seq + row.count;
      const wanted = new Set<number>();
      do wanted.add(sorted[next++] as number);
      while (next < sorted.length && (sorted[next] as number) < end);
      if (row !== undefined) records.push(...recordsOf(row, (place) => wanted.has(row.seq + place)));
    }
    return records;
  }

  return { after: batchesAfter, read: readBatches };
}
