/** Writes the embedded database again, while nobody else uses it: no freed page keeps a text, and the file has no free pages. */
import { join } from 'node:path';
import type { Config } from './config.ts';
import { openConnection } from './store/sqlite/connection.ts';

export function rewriteDatabase({ dataDir }: Pick<Config, 'dataDir'>): void {
  const connection = openConnection(join(dataDir, 'gatehouse.db'));
  connection.exec('VACUUM');
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
}
