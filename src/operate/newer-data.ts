/** Refuses an installation that a newer Gatehouse has updated to commands that use it without opening its store. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openSqlite } from '../platform/sqlite-driver.ts';
import { NewerSchemaError } from '../store/newer-schema.ts';
import { isNewestSchema } from '../store/sqlite/migrate.ts';

/** @throws in one line, only if a newer Gatehouse has updated the database */
export async function refuseNewer(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<void> {
  const { dataDir, databaseUrl: url } = config;
  if (url === null) return refuseNewerFolder(dataDir);
  const { refuseNewerDatabase } = await import('../store/postgres/migrate.ts');
  await onlyNewer(() => refuseNewerDatabase(url), 'DATABASE_URL');
}

async function refuseNewerFolder(dataDir: string): Promise<void> {
  const file = join(dataDir, 'gatehouse.db');
  await onlyNewer(async () => {
    const connection = openSqlite(file, { readOnly: true });
    try {
      isNewestSchema(connection);
    } finally {
      connection.close();
    }
  }, `cannot use the database ${file}`);
}

/** All other errors are reported by the code that uses the database. */
async function onlyNewer(check: () => Promise<void>, place: string): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof NewerSchemaError) throw new Error(`${place}: ${error.message}`, { cause: error });
  }
}
