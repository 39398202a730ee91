/** Decides whether a database file is damaged, and when that is looked at. */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { adviseIfDamaged } from '../damaged-file.ts';
import type { SqliteConnection } from './connection.ts';

/** A start reads files up to this size whole, in about a tenth of a second; larger ones are checked while it serves. */
const MAX_AT_START_BYTES = 64 * 2 ** 20;
/** Of a service: the start is over. */
const CHECK_AFTER_MS = 20_000;
/** @throws when a small file is damaged: a page that cannot be read, or is in two places. What is in a row is not checked */
export function assertWhole(connection: SqliteConnection, file: string): void {
  if (statSync(file).size > MAX_AT_START_BYTES) return;
  const damage = findDamage(connection);
  if (damage !== undefined) throw new Error(damage);
}

/** The first damage; `undefined` for none. */
export function findDamage(connection: SqliteConnection): string | undefined {
  const { quick_check: found } = connection.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  return found === 'ok' ? undefined : `the file is damaged (${found.replaceAll(/\s+/g, ' ')})`;
}

/** Checks a large file once, in a thread of its own. Returns what ends it. */
export function checkLater(
  file: string,
  onFault: (error: Error) => void,
  { startMs = CHECK_AFTER_MS, minBytes = MAX_AT_START_BYTES } = {},
): () => Promise<unknown> {
  let worker: Worker | undefined;
  const starting = setTimeout(() => {
    if (statSync(file).size <= minBytes) return;
    worker = new Worker(new URL('./check-thread.js', import.meta.url), { workerData: { file } });
    worker.unref();
    const tell = (why: string) => onFault(new Error(`${file}: ${adviseIfDamaged(why)}`));
    worker.on('message', tell);
    worker.on('error', (error) => tell((error as Error).message));
  }, startMs).unref();
  return async () => {
    clearTimeout(starting);
    await worker?.terminate();
  };
}
