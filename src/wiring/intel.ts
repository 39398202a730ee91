/** Wires intelligence: the snapshot that a service uses, and the thread that keeps it up to date. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import { createFeedService, openActive } from '../intel/feed-service.ts';
import { type FeedTable, readFeedSettings } from '../intel/feed-settings.ts';
import type { Intel } from '../intel/intel.ts';
import { createLiveIntel, type LiveIntel, type LiveIntelOptions } from '../intel/live-intel.ts';
import { createFileRepository, isAnythingKept } from '../intel/repository-files.ts';
import { proxiesOf } from '../outbound/proxy-choice.ts';
import { asStoreFailure } from '../store/store-failure.ts';
import { type IntelPlace, openInstallationIntel } from './intel-place.ts';

/** The active snapshot, or the bundled one if that cannot be read. */
export async function openIntel(
  config: Omit<IntelPlace, 'feeds'> & { readonly feedsFile: string | null },
  onFault?: (why: string) => void,
): Promise<Intel> {
  const feeds = readFeedSettings(config.feedsFile ?? undefined);
  const repository = await openInstallationIntel({ ...config, feeds });
  try {
    return await openActive(repository.snapshots, onFault);
  } finally {
    await repository.close();
  }
}

export interface IntelOptions {
  readonly config: Config;
  readonly feeds: FeedTable;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Milliseconds since the epoch; a step of the wall clock should not make feeds due. */
  readonly clock: () => number;
}

/** The intelligence of a service: a thread keeps it up to date. */
export async function wireIntel({ config, feeds, metrics, log, clock }: IntelOptions): Promise<LiveIntel> {
  const onFault = (why: string) => log.error(`feeds: ${why}`);
  return createLiveIntel({
    initial: await openIntel(config, onFault),
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    feeds,
    fetching: config.feeds,
    proxies: proxiesOf(config),
    watch: watchOwnFeeds(config, feeds, clock, onFault),
    isAnythingKept: () => config.databaseUrl !== null || isAnythingKept(config.dataDir),
    thread: new URL('./intel-thread.js', import.meta.url),
    metrics,
    log,
    onStoreAway: (why) =>
      log.error({ err: asStoreFailure(new Error(why)) }, 'feeds could not be read or written'),
    onDeath: metrics.threadDeath,
  });
}

/** Feeds that are shared are watched by the thread, over its own connection. */
function watchOwnFeeds(
  { databaseUrl, dataDir, feeds: fetching }: Config,
  feeds: FeedTable,
  clock: () => number,
  onFault: (why: string) => void,
): LiveIntelOptions['watch'] {
  if (databaseUrl !== null) return undefined;
  const repository = createFileRepository(dataDir);
  const onDamage = (feed: string, what: string) => onFault(`${feed}: ${what}`);
  return createFeedService({ repository, feeds, clock, onDamage }).watch(fetching);
}
