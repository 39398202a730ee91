/** Decides where an installation keeps its feeds and snapshots: in its data folder, or in the database that its nodes share. */
import { buildIdOf } from '../intel/feed-service.ts';
import type { FeedTable } from '../intel/feed-settings.ts';
import { createFileRepository } from '../intel/repository-files.ts';

type IntelRepository = ReturnType<typeof createFileRepository>;

export interface IntelPlace {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly feeds: FeedTable;
}

/** Connects to a database at the first call; its schema must exist. */
export async function openInstallationIntel({
  dataDir,
  databaseUrl: url,
  feeds,
}: IntelPlace): Promise<IntelRepository> {
  if (url === null) return createFileRepository(dataDir);
  const { openIntelRepository } = await import('../store/postgres/intel-repository.ts');
  return openIntelRepository({ url, ...(await buildIdOf(feeds)) });
}

/** Feeds that this machine kept before it shared them: the shared ones start as copies of these. */
export function originOf({
  dataDir,
  databaseUrl,
}: Omit<IntelPlace, 'feeds'>): IntelRepository['feeds'] | undefined {
  return databaseUrl === null ? undefined : createFileRepository(dataDir).feeds;
}

/** Migrates the database to this release. @throws when it cannot be reached, or has no installation */
export async function prepareDatabase(databaseUrl: string | null): Promise<void> {
  if (databaseUrl === null) return;
  const { migrate } = await import('../store/postgres/migrate.ts');
  await migrate(databaseUrl, { create: false }).catch((error: Error) => {
    throw new Error(`DATABASE_URL: ${error.message}`, { cause: error });
  });
}
