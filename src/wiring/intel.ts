/** Wires intelligence: the snapshot that a service uses, and the logs and metrics of its feeds. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import { createFeedService, openActive } from '../intel/feed-service.ts';
import { type FeedTable, readFeedSettings } from '../intel/feed-settings.ts';
import type { Intel } from '../intel/intel.ts';
import {
  createLiveIntel,
  type LiveEvent,
  type LiveIntel,
  type LiveIntelOptions,
} from '../intel/live-intel.ts';
import { createFileRepository, isAnythingKept } from '../intel/repository-files.ts';
import { proxiesOf } from '../outbound/proxy-choice.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { asStoreFailure } from '../store/store-failure.ts';
import { type IntelPlace, openInstallationIntel } from './intel-place.ts';

type FeedReport = Extract<LiveEvent, { kind: 'report' }>['report'];
type FetchFailure = Extract<FeedReport, { outcome: 'failed' }>;

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
  const onEvent = createFeedEventLogger(metrics, log, config.feeds);
  return createLiveIntel({
    initial: await openIntel(config, (why) => onEvent({ kind: 'fault', why })),
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    feeds,
    fetching: config.feeds,
    proxies: proxiesOf(config),
    watch: watchOwnFeeds(config, feeds, clock, (why) => onEvent({ kind: 'fault', why })),
    isAnythingKept: () => config.databaseUrl !== null || isAnythingKept(config.dataDir),
    thread: new URL('./intel-thread.js', import.meta.url),
    onEvent,
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

/**
 * Rejected updates and failures are warnings when they begin: the last good version stays active.
 * @param fetching if feeds are not fetched, a feed without any version is not reported as missing in the metrics
 */
export function createFeedEventLogger(
  metrics: Pick<Metrics, 'feeds' | 'feedOutcome' | 'snapshotSwapped'>,
  log: Logger,
  fetching: boolean,
): (event: LiveEvent) => void {
  /** The present problem of each feed that has one. */
  const troubles = new Map<string, string>();
  /** Failures that began in this round. */
  let newFailures: FetchFailure[] = [];

  function logReport(report: FeedReport): void {
    const { feed, outcome } = report;
    metrics.feedOutcome(feed, outcome);
    const before = troubles.get(feed);
    if (outcome === 'failed') {
      troubles.set(feed, outcome);
      // Without a network all fail at once: they are logged together at the end of the round.
      if (before !== outcome) newFailures.push(report);
      log.debug(report, 'a feed was not fetched');
    } else if (outcome === 'refused') {
      troubles.set(feed, report.why);
      log[before === report.why ? 'debug' : 'warn'](report, 'a feed update was rejected');
    } else {
      troubles.delete(feed);
      log[outcome === 'unchanged' ? 'debug' : 'info'](report, `a feed was ${outcome}`);
    }
  }

  function endRound(): void {
    const [first] = newFailures;
    if (first === undefined) return;
    const feeds = newFailures.map(({ feed }) => feed);
    const retryAt = Math.min(...newFailures.map((failed) => failed.retryAt ?? Number.POSITIVE_INFINITY));
    const again = Number.isFinite(retryAt) ? `, next try at ${toTimestamp(retryAt)}` : '';
    const many = feeds.length === 1 ? '1 feed' : `${feeds.length} feeds`;
    newFailures = [];
    log.warn(
      { feeds },
      `${many} could not be fetched, ${first.feed}: ${first.why}; the last good versions stay active${again}; GATEHOUSE_FEEDS=off fetches none`,
    );
  }

  return (event) => {
    if (event.kind === 'status')
      metrics.feeds(event.status.filter(({ version }) => fetching || version !== null));
    else if (event.kind === 'report') logReport(event.report);
    else if (event.kind === 'round') endRound();
    else if (event.kind === 'fault' && event.isStoreAway === true)
      log.error({ err: asStoreFailure(new Error(event.why)) }, 'feeds could not be read or written');
    else if (event.kind === 'fault') log.error(`feeds: ${event.why}`);
    else if (event.kind === 'published') log.info(event.publication, 'a snapshot was compiled');
    else {
      metrics.snapshotSwapped(event.milliseconds);
      log.info({ snapshot: event.id }, 'a new snapshot is active');
    }
  };
}
