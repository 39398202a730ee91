/** Decides where an installation keeps its feeds and snapshots: in its data folder, or in the database that its nodes share. */
import { readBuildId } from '../intel/build-id.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Feed } from '../intel/feed.ts';
import type { FeedRecords, IntelRepository } from '../intel/repository.ts';
import { createFileRepository } from '../intel/repository-files.ts';

export interface IntelPlace {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly feeds: readonly Feed[];
}

/** Connects to a database at the first call; its schema must exist. */
export async function openInstallationIntel({
  dataDir,
  databaseUrl: url,
  feeds,
}: IntelPlace): Promise<IntelRepository> {
  if (url === null) return createFileRepository(dataDir);
  const { openIntelRepository } = await import('../store/postgres/intel-repository.ts');
  return openIntelRepository({ url, ...(await readBuildId(BASELINE_FILE, feeds)) });
}

/** Feeds that this machine kept before it shared them: the shared ones start as copies of these. */
export function originOf({ dataDir, databaseUrl }: Omit<IntelPlace, 'feeds'>): FeedRecords | undefined {
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
