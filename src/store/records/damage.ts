/** Decides whether a database file is damaged, and when that is checked. */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { youngLimits } from '../../platform/young-limits.ts';
import { adviseIfDamaged } from '../damaged-file.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
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

/** A start reads files up to this size whole, in about a fifth of a second; larger ones are checked while it serves. */
const MAX_AT_START_BYTES = 64 * 2 ** 20;
/** Time after which a service has started. */
const CHECK_AFTER_MS = 20_000;
/** More would not make it faster. */
const YOUNG_MEGABYTES = 6;
const NO_SUCH = /^(?:no such (?:column|table)|table \w+ has no column named)/;
/** Number of batches in a read: about a megabyte. */
const BATCHES_A_READ = 64;
const HAS_BATCHES = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'assessment_batches'";
const READ = `SELECT ${BATCH_COLUMNS}, count, CAST(first_id AS BLOB) AS first,
  CAST(last_id AS BLOB) AS last FROM assessment_batches WHERE seq > ? ORDER BY seq LIMIT ${BATCHES_A_READ}`;

/** @throws when a small file is damaged */
export function assertWhole(connection: SqliteConnection, file: string): void {
  if (statSync(file).size > MAX_AT_START_BYTES) return;
  const damage = findDamage(connection, 'integrity_check');
  if (damage !== undefined) throw new Error(damage);
}

/**
 * The first damage: a page that cannot be read or is in two places, or a batch of assessments that changed by itself; `undefined` for none.
 * @param check the longer one also compares indexes with their tables
 * @param isStopping whether to look no further, asked after about each megabyte
 */
export function findDamage(
  connection: SqliteConnection,
  check: 'integrity_check' | 'quick_check' = 'quick_check',
  isStopping = () => false,
): string | undefined {
  const [row] = connection.pragma(`${check}(1)`) as Record<string, string>[];
  const found = row?.[check] ?? 'it cannot be checked';
  return found === 'ok'
    ? findDamagedBatch(connection, isStopping)
    : `the file is damaged (${found.replaceAll(/\s+/g, ' ')})`;
}

/** Says what is wrong with the first damaged batch; `undefined` for none, or in a file without an installation. */
export function findDamagedBatch(connection: SqliteConnection, isStopping = () => false): string | undefined {
  if (connection.prepare(HAS_BATCHES).get() === undefined) return undefined;
  const read = connection.prepare(READ);
  let rows = read.all(0) as Row[];
  while (rows.length > 0 && !isStopping()) {
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

/** Our statements fit a file of this schema, unless the text of its schema has changed by itself. */
export function asDamage(error: Error, file: string): Error {
  if (!NO_SUCH.test(error.message)) return error;
  return new Error(`cannot use the database ${file}: the file is damaged (${error.message})`);
}

/** Data that the thread starts with. */
export interface CheckData {
  readonly file: string;
  /** Shared; anything but 0: it looks no further. */
  readonly stopping: Int32Array;
}

/** Checks a large file once, in a thread of its own. Returns what ends it. */
export function checkLater(
  file: string,
  onFault: (error: Error) => void,
  { startMs = CHECK_AFTER_MS, minBytes = MAX_AT_START_BYTES } = {},
): () => Promise<unknown> {
  let worker: Worker | undefined;
  let ended = Promise.resolve();
  const stopping = new Int32Array(new SharedArrayBuffer(4));
  const report = (why: string) => onFault(new Error(`${file}: ${adviseIfDamaged(why)}`));
  function check(): void {
    if (statSync(file).size <= minBytes) return;
    const workerData: CheckData = { file, stopping };
    const resourceLimits = youngLimits(YOUNG_MEGABYTES);
    const started = new Worker(new URL('./check-thread.js', import.meta.url), { workerData, resourceLimits });
    started.unref();
    started.on('message', report);
    started.on('error', (error) => report((error as Error).message));
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
    worker = started;
  }
  const starting = setTimeout(() => {
    try {
      check();
    } catch (error) {
      // Thrown on, it would end the process: the file is gone, or there is no memory for a thread.
      report((error as Error).message);
    }
  }, startMs).unref();
  return async () => {
    clearTimeout(starting);
    // Not ended by force: libsql panics when its thread ends within a call.
    Atomics.store(stopping, 0, 1);
    worker?.ref();
    await ended;
  };
}
