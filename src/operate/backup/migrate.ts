/** Migrates the embedded installation of a data folder to PostgreSQL, while no service uses either. */
import type { Config } from '../../config/config.ts';
import { lockDataFolder } from '../../installation/data-folder.ts';
import { copyInstallation, type MigrationOptions, type MigrationResult } from '../../store/migrate-copy.ts';
import { openSqliteSource, type SqliteSource } from '../../store/sqlite/migrate-source.ts';
import { findSecret, otherSecret } from '../../store/sqlite/secret-file.ts';

export type { MigrationProgress } from '../../store/migrate-copy.ts';

export interface InstallationMigration extends MigrationResult {
  /** Whether a command changed the installation during the copy: these changes are missing. */
  readonly changedMeanwhile: boolean;
}

type Settings = Pick<Config, 'dataDir' | 'secret'>;

/** @throws with one line when it fails, or when the content of PostgreSQL differs at the end */
export async function migrateInstallation(
  settings: Settings,
  url: string,
  onProgress: MigrationOptions['onProgress'],
): Promise<InstallationMigration> {
  const closers: (() => unknown)[] = [];
  try {
    const folder = await lockDataFolder(settings.dataDir, Date.now, 'migration');
    closers.push(folder.release);
    const source = openSqliteSource(settings.dataDir);
    closers.push(source.close);
    const secret = secretOf(source, settings);
    const { openPostgresTarget } = await import('../../store/postgres/migrate-target.ts');
    const target = await openPostgresTarget({
      url,
      source,
      secret,
      keepsSecret: settings.secret === null,
    });
    closers.push(target.close);
    const result = await copyInstallation({ source, target, onProgress });
    return { ...result, changedMeanwhile: source.end() };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** @throws when it is missing, or not the secret of this installation */
function secretOf({ isSecret }: SqliteSource, { dataDir, secret: configured }: Settings): Buffer {
  const found = findSecret(dataDir);
  if (configured !== null && found !== undefined && !found.equals(configured)) throw otherSecret(dataDir);
  const secret = configured ?? found;
  if (secret === undefined)
    throw new Error(
      `secret.key is missing in ${dataDir}: restore it from a backup, or set GATEHOUSE_SECRET to it`,
    );
  if (isSecret(secret)) return secret;
  const what = configured === null ? `secret.key in ${dataDir}` : 'GATEHOUSE_SECRET';
  throw new Error(`${what} is not the secret that the database there is used with`);
}
