/** Keeps batches that were read: the assessments of a commit are asked for together, soon after it. */
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { NumberedAssessment } from '../stored-assessment.ts';
import { FIND_BATCH, readChecked, type StoredBatch } from './batch-checksum.ts';
import { BatchFields } from './batch-fields.ts';
import { endOfRange } from './batch-rows.ts';
import { type BatchRow, type RecordGroup, readGroups, readRecord } from './batch-text.ts';

export interface BatchMemoryOptions {
  /** Approximate max. that is kept. */
  readonly maxBytes?: number;
  /** Calls back when all requests that have come in by now were handled. */
  readonly atEndOfTurn?: (act: () => void) => void;
}

export interface BatchMemory {
  /** The record as it is stored when the present turn of the event loop asks for the first time, or later. @throws DamagedBatch */
  find(requestId: string): NumberedAssessment | undefined;
  /** Approximate size of what is kept. */
  readonly bytes: number;
}

/** A row cut into lines, from which single records are read, again and again. */
interface BatchLines {
  readonly seq: number;
  readonly ids: readonly string[];
  readonly groups: readonly RecordGroup[];
  readonly attempts: readonly string[];
  readonly details: readonly string[];
}

interface KeptBatch {
  readonly lines: BatchLines;
  readonly bytes: number;
}

const MAX_BYTES = 4 * 2 ** 20;
/** Memory of a record beside its texts: its place by id, and the objects that its lines are. */
const RECORD_BYTES = 250;
/** Version of the batches in the database. It grows with each change of a batch by any process: see migration 016. */
const READ_VERSION = "SELECT value FROM meta WHERE name = 'batches_version'";

export function createBatchMemory(
  connection: SqliteConnection,
  { maxBytes = MAX_BYTES, atEndOfTurn = setImmediate }: BatchMemoryOptions = {},
): BatchMemory {
  const readVersion = connection.prepare(READ_VERSION);
  const findRow = connection.prepare(FIND_BATCH);
  /** Oldest first. */
  const batches = new Set<KeptBatch>();
  const byId = new Map<string, KeptBatch>();
  let version = -1;
  let isChecked = false;
  let bytes = 0;

  function forgetChanged(): void {
    if (isChecked) return;
    const { value } = readVersion.get() as { value: number };
    if (value !== version) {
      batches.clear();
      byId.clear();
      bytes = 0;
    }
    version = value;
    isChecked = true;
    atEndOfTurn(() => {
      isChecked = false;
    });
  }

  function keep(row: BatchRow): BatchLines {
    const lines = toLines(row);
    const texts = row.ids.length + row.attempts.length + row.details.length;
    const batch = { lines, bytes: texts + lines.ids.length * RECORD_BYTES };
    batches.add(batch);
    bytes += batch.bytes;
    // One that was erased has an empty id.
    for (const id of lines.ids) if (id !== '') byId.set(id, batch);
    for (const oldest of batches) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
    return lines;
  }

  function forget(batch: KeptBatch): void {
    batches.delete(batch);
    bytes -= batch.bytes;
    for (const id of batch.lines.ids) byId.delete(id);
  }

  return {
    get bytes() {
      return bytes;
    },
    find(requestId) {
      forgetChanged();
      const kept = byId.get(requestId);
      if (kept !== undefined) return readLine(kept.lines, requestId);
      // After the version: what is changed from now on has a higher one.
      const row = findRow.get(requestId, endOfRange(requestId)) as StoredBatch | undefined;
      return row && readLine(keep(readChecked(row)), requestId);
    },
  };
}

function toLines({ seq, ids, attempts, details }: BatchRow): BatchLines {
  const [header = '', ...lines] = attempts.split('\n');
  return {
    seq,
    ids: ids.split(' '),
    groups: readGroups(header),
    attempts: lines,
    details: details.split('\n'),
  };
}

/** The row has the record: no other one is found by its id, or kept. */
function readLine(
  { seq, ids, groups, attempts, details }: BatchLines,
  requestId: string,
): NumberedAssessment {
  const place = ids.indexOf(requestId);
  const [attempt, rest] = [attempts[place], details[place]] as [string, string];
  return readRecord(seq + place, requestId, groups, new BatchFields(attempt), new BatchFields(rest));
}
