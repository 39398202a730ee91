/** Decides whether a command finds an installation: only a few may make a data folder, the others need an existing one. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';

const DATABASE = 'gatehouse.db';

/** @throws naming the setting to check, if there is no installation in the data folder or in DATABASE_URL */
export function requireInstallation(config: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (config.databaseUrl === null) requireEmbedded(config);
}

/** @throws naming the setting to check, if there is none in the data folder, whatever DATABASE_URL is */
export function requireEmbedded(config: Pick<Config, 'dataDir'>): void {
  if (hasInstallation(config)) return;
  throw new Error(
    `there is no installation in ${config.dataDir}: set GATEHOUSE_DATA_DIR to its folder, or run \`gatehouse start\` to create one`,
  );
}

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
