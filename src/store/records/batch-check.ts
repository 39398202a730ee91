/** Looks whether all stored batches are as they were written. */

import type { SqliteConnection } from '../writer/connection.ts';
import {
  BATCH_COLUMNS,
  type Blob,
  DamagedBatch,
  isAsWritten,
  type StoredBatch,
  toBytes,
} from './batch-checksum.ts';
import { rangeOf } from './batch-rows.ts';

interface Row extends StoredBatch {
  readonly count: number;
  readonly first: Blob | null;
  readonly last: Blob | null;
}

/** About a megabyte. */
const BATCHES_A_READ = 64;
const HAS_BATCHES = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'assessment_batches'";
const READ = `SELECT ${BATCH_COLUMNS}, count, CAST(first_id AS BLOB) AS first,
  CAST(last_id AS BLOB) AS last FROM assessment_batches WHERE seq > ? ORDER BY seq LIMIT ${BATCHES_A_READ}`;

/** Says what is wrong with the first damaged batch; `undefined` for none, or in a file without an installation. */
export function findDamagedBatch(connection: SqliteConnection): string | undefined {
  if (connection.prepare(HAS_BATCHES).get() === undefined) return undefined;
  const read = connection.prepare(READ);
  let rows = read.all(0) as Row[];
  while (rows.length > 0) {
    const damaged = rows.find((row) => !isWhole(row));
    if (damaged !== undefined) return new DamagedBatch(damaged.seq).message;
    rows = read.all((rows.at(-1) as Row).seq) as Row[];
  }
  return undefined;
}

function isWhole({ count, first, last, ...row }: Row): boolean {
  if (!isAsWritten(row)) return false;
  const ids = toBytes(row.ids).toString().split(' ');
  const { firstId, lastId } = rangeOf(ids);
  return ids.length === count && toBytes(first).toString() === firstId && toBytes(last).toString() === lastId;
}
