/** Erases in an embedded database that no service uses: nothing else reads or writes it meanwhile. */
import type { Config } from '../../config/config.ts';
import { lockDataFolder } from '../../installation/data-folder.ts';

/** Runs `work` while no service uses the embedded database. @throws when a service uses it */
export async function whileStopped<T>(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work();
  const folder = await lockDataFolder(dataDir, Date.now, 'erasure');
  try {
    return await work();
  } finally {
    folder.release();
  }
}
