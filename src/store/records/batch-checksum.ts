/** Decides whether what is stored of a batch is what was written: a bit that flips inside a text is invisible to SQLite. */
import { crc32 } from 'node:zlib';
import { RESTORE_BACKUP } from '../damaged-file.ts';
import type { BatchRow } from './batch-text.ts';

/** The first of libsql, the other of Node.js. */
export type Blob = ArrayBuffer | Uint8Array;

/** A row as it is read. */
export interface StoredBatch {
  readonly seq: number;
  readonly ids: Blob | null;
  readonly attempts: Blob | null;
  readonly details: Blob | null;
  readonly crc32: number;
}

/** Columns as bytes: libsql ends the process when it reads a text that is no UTF-8 any more. */
export const BATCH_COLUMNS = `seq, CAST(ids AS BLOB) AS ids, CAST(attempts AS BLOB) AS attempts,
  CAST(details AS BLOB) AS details, crc32`;

/** A stored batch has changed by itself. The message says how to go on. */
export class DamagedBatch extends Error {
  readonly seq: number;

  constructor(seq: number) {
    super(
      `the file is damaged (the signups from number ${seq} on are not as they were stored); ${RESTORE_BACKUP}, or stop the service and give up these signups, at most 32, with \`sqlite3 FILE "DELETE FROM assessment_batches WHERE seq = ${seq}"\``,
    );
    this.seq = seq;
  }
}

/** Some microseconds. */
export function checksumOf({ seq, ids, attempts, details }: BatchRow): number {
  return crc32(details, crc32(attempts, crc32(ids, seq >>> 0)));
}

/** The texts of a row. @throws DamagedBatch */
export function readChecked(row: StoredBatch): BatchRow {
  const { seq, ids, attempts, details } = row;
  if (!isAsWritten(row)) throw new DamagedBatch(seq);
  return {
    seq,
    ids: toBytes(ids).toString(),
    attempts: toBytes(attempts).toString(),
    details: toBytes(details).toString(),
  };
}

export function isAsWritten({ seq, ids, attempts, details, crc32: expected }: StoredBatch): boolean {
  const first = crc32(toBytes(attempts), crc32(toBytes(ids), seq >>> 0));
  return crc32(toBytes(details), first) === expected;
}

export function toBytes(blob: Blob | null): Buffer {
  if (blob === null) return Buffer.alloc(0);
  return blob instanceof Uint8Array
    ? Buffer.from(blob.buffer, blob.byteOffset, blob.length)
    : Buffer.from(blob);
}

/** The batch with an assessment: its id, and the end of where it can be. The wide columns of the others are not read. */

export const FIND_BATCH = `SELECT ${BATCH_COLUMNS} FROM assessment_batches
  WHERE last_id >= ?1 AND last_id < ?2 AND first_id <= ?1 AND instr(ids, ?1) > 0 ORDER BY last_id LIMIT 1`;
