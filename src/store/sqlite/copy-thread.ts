/** The thread that copies a database as of one moment, beside a service that writes to it, and checks the copy. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite } from '../../platform/sqlite-driver.ts';
import { findDamagedBatch } from '../records/damage.ts';
import { COUNT_RECORDS } from '../records/record-source.ts';
import type { CopiedDatabase, CopyMessage } from './copy-database.ts';
import { READ_SECRET_CHECK } from './secret.ts';

const LOCK_MS = 5_000;
const { source, target } = workerData as { source: string; target: string };
const send = (message: CopyMessage) => parentPort?.postMessage(message);

const from = openSqlite(source, { readOnly: true });
from.pragma(`busy_timeout = ${LOCK_MS}`);
from.prepare('VACUUM INTO ?').run([target]);
from.close();
send({ kind: 'copied' });

const copy = openSqlite(target, { readOnly: true });
const faults = copy.pragma('integrity_check(1)') as { integrity_check: string }[];
const [fault] = faults;
const damage = fault?.integrity_check === 'ok' ? findDamagedBatch(copy) : fault?.integrity_check;
if (damage !== undefined) throw new Error(`the copy is damaged: ${damage}`);
const getRow = <T>(sql: string) => copy.prepare(sql).get() as T;
const copied: CopiedDatabase = {
  schema: getRow<{ user_version: number }>('PRAGMA user_version').user_version,
  assessments: getRow<{ n: number }>(COUNT_RECORDS).n,
  secretCheck: getRow<{ value: Uint8Array } | undefined>(READ_SECRET_CHECK)?.value,
};
copy.close();
send({ kind: 'checked', copied });
