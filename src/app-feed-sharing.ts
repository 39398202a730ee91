/** Decides whether feeds are kept by each node for itself or shared through the database. */
import type { Config } from './config.ts';
import { BASELINE_FILE } from './intel/baseline.ts';
import type { Intel } from './intel/intel.ts';
import type { LiveIntelOptions } from './intel/refresh/live-intel.ts';
import { openInForce } from './intel/sharing/open-in-force.ts';
import type { SharedFolders } from './intel/sharing/shared-folders.ts';

/** What the service's intelligence is created with beside the rest. */
export function sharingOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): Pick<LiveIntelOptions, 'thread'> {
  if (databaseUrl === null) return {};
  return {
    thread: { module: new URL('./app-feed-sharing-thread.js', import.meta.url), data: { databaseUrl } },
  };
}

/** For a command; `undefined` where this machine keeps its feeds for itself. @throws when the database cannot be reached */
export async function openSharing({
  databaseUrl,
}: Pick<Config, 'databaseUrl'>): Promise<SharedFolders | undefined> {
  if (databaseUrl === null) return undefined;
  const [{ migrate }, { openSharedFolders }] = await Promise.all([
    import('./store/postgres/migrate.ts'),
    import('./store/postgres/shared/shared-folders.ts'),
  ]);
  await migrate(databaseUrl, { create: false }).catch((error: Error) => {
    throw new Error(`DATABASE_URL: ${error.message}`, { cause: error });
  });
  return openSharedFolders({ url: databaseUrl });
}

/** What signups are judged by, for a command. */
export async function openIntel(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Intel> {
  const folders = await openSharing(config);
  try {
    const { dataDir } = config;
    return await openInForce({ dataDir, baselineFile: BASELINE_FILE, onFault: () => {} }, folders);
  } finally {
    await folders?.close();
  }
}
