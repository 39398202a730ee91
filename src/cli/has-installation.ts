/** Decides whether a data folder has an installation. In a file of its own: a start asks before it loads the database. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

const DATABASE = 'gatehouse.db';

/** @throws if the folder may not be read */
export function hasInstallation({ dataDir }: Pick<Config, 'dataDir'>): boolean {
  try {
    return statSync(join(dataDir, DATABASE)).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new Error(
      `cannot read the data folder ${dataDir} (${code}): run this as the user of the service, or set GATEHOUSE_DATA_DIR to another folder`,
    );
  }
}
