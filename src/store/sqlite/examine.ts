/** Looks whether a database file is sound, without writing to it. */
import { existsSync, statSync } from 'node:fs';
import { openSqlite, type SqliteConnection } from '../../platform/sqlite-driver.ts';
import { findDamagedBatch } from '../records/damage.ts';
import { createRecordSource, NEWEST_SEQ } from '../records/record-source.ts';
import { newestSchema } from './migrate.ts';
import { READ_SECRET_CHECK } from './secret.ts';

export interface ExaminedFile {
  readonly bytes: number;
  readonly schema: number;
  /** The schema that this version writes. */
  readonly known: number;
  /** The first fault that SQLite finds on reading every page, or that checksums find; `null`: none. */
  readonly fault: string | null;
  /** Text of `checkOf`; `null` before a secret was used. */
  readonly secretCheck: Uint8Array | null;
  /** Milliseconds since the epoch; `null` without assessments, or of an older schema. */
  readonly newestAt: number | null;
}

const LOCK_MS = 5_000;

/** Reads every page: some seconds a GB. @throws when the file cannot be read at all */
export function examineFile(file: string): ExaminedFile {
  const connection = openSqlite(file, { readOnly: true });
  try {
    connection.pragma(`busy_timeout = ${LOCK_MS}`);
    const known = newestSchema();
    const [{ user_version: schema }] = connection.pragma('user_version') as [{ user_version: number }];
    const [{ integrity_check: found }] = connection.pragma('integrity_check(1)') as [
      { integrity_check: string },
    ];
    const fault = found === 'ok' ? (findDamagedBatch(connection) ?? null) : found;
    const isSound = fault === null;
    const wal = `${file}-wal`;
    return {
      bytes: statSync(file).size + (existsSync(wal) ? statSync(wal).size : 0),
      schema,
      known,
      fault,
      secretCheck: isSound && schema === known ? readCheck(connection) : null,
      newestAt: isSound && schema === known ? newestAt(connection) : null,
    };
  } finally {
    connection.close();
  }
}

function readCheck(connection: SqliteConnection): Uint8Array | null {
  return (connection.prepare(READ_SECRET_CHECK).get() as { value: Uint8Array } | undefined)?.value ?? null;
}

function newestAt(connection: SqliteConnection): number | null {
  const { seq } = connection.prepare(`SELECT (${NEWEST_SEQ}) AS seq`).get() as { seq: number | null };
  return createRecordSource(connection).read([seq ?? 0])[0]?.at ?? null;
}
