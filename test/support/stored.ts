/** Reads the store of an installation while its service runs, for data that no operation shows. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type DecisionRecord, decisionRecordOf } from '../../src/signup/rebuild-answer.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { BUILT_THREADS } from './built-threads.ts';
import type { Installation } from './service.ts';

export async function withStored<T>(
  installation: Installation,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStored(installation);
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

/** For frequent reads. The caller closes it. It commits like a command, because a writer thread takes longer to start. */
export async function openStored({ environment }: Installation): Promise<Store> {
  const { DATABASE_URL: url, GATEHOUSE_DATA_DIR: directory = '' } = environment;
  return url === undefined
    ? openSqliteStore({ directory, inline: true, forTests: BUILT_THREADS })
    : await openPostgresStore({ url });
}

/** The decision record of a live signup: why it got its verdict. */
export async function readDecision(
  installation: Installation,
  accountId: string,
  requestId: string,
): Promise<DecisionRecord> {
  const stored = await withStored(installation, (store) =>
    store.findStored(requestId, { accountId, mode: 'live' }),
  );
  if (stored === undefined) throw new Error(`${requestId} is not stored`);
  return decisionRecordOf(stored);
}

/** Everything in the data folder, or in every table of the database. */
export async function everythingStored({ environment }: Installation): Promise<Buffer[]> {
  const { DATABASE_URL: url, GATEHOUSE_DATA_DIR: folder = '' } = environment;
  if (url === undefined) {
    return readFiles(folder);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT format('%I', relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  const pieces: Buffer[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`);
    pieces.push(...rows.map(({ text }) => Buffer.from(text)));
  }
  await client.end();
  return pieces;
}

/** All files of a folder and the folders in it. SQLite removes files beside the database when it closes: then they are read again. */
async function readFiles(folder: string): Promise<Buffer[]> {
  for (;;) {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((file) => file.isFile());
    const read = await Promise.allSettled(
      files.map(({ parentPath, name }) => readFile(join(parentPath, name))),
    );
    const failure = read.find((result) => result.status === 'rejected');
    if (failure === undefined)
      return read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if ((failure.reason as NodeJS.ErrnoException).code !== 'ENOENT') throw failure.reason;
  }
}
