/** Decides what can be done with the feeds of an installation, for the service's thread and for the command line. */
import type { FeedStatus } from '../model/feed-status.ts';
import { readVersion } from '../version.ts';
import { compileWithFeeds } from './compile-feeds.ts';
import type { Feed } from './feed.ts';
import { createAdmit } from './feed-admit.ts';
import { createArchive, type FeedArchive } from './feed-archive.ts';
import { type BundleEntry, createFeedBundle } from './feed-bundle.ts';
import { createDownload, type DownloadLimits } from './feed-download.ts';
import { readGuards } from './feed-guards.ts';
import { parseFeed } from './feed-parse.ts';
import { createRefreshFeeds, type FeedReport, type RefreshRun } from './feed-refresh.ts';
import { createSchedule, isDue } from './feed-schedule.ts';
import { type FeedState, withRollback } from './feed-state.ts';
import { feedStatus } from './feed-status.ts';
import type { FeedRecords, IntelRepository } from './repository.ts';
import { createPublisher, type Publication } from './snapshot-publisher.ts';

export interface FeedManager {
  status(): Promise<FeedStatus[]>;
  /** The enabled feeds that are due, and when the first of all is or was due, milliseconds since the epoch. */
  due(): Promise<{ feeds: Feed[]; nextAt: number }>;
  /** Whether what is in force has changed since the snapshot was compiled. */
  isPublishDue(): Promise<boolean>;
  /** Runs `work` while nobody else changes feeds or snapshots, on any node; `undefined` at once if somebody else does. */
  tryRound<T extends NonNullable<unknown>>(work: (round: FeedRound) => Promise<T>): Promise<T | undefined>;
}

/** What may be done while the lock is held. Everything @throws once it is lost. */
export interface FeedRound {
  /** Aborted when the lock is lost. */
  readonly lost: AbortSignal;
  /** Fetches these feeds, also if they are not due. */
  refresh(feeds: readonly Feed[], run?: RefreshRun): Promise<FeedReport[]>;
  /** Compiles what is in force, if that has changed. */
  publish(): Promise<Publication | undefined>;
  /** Returns a feed to its version before. @throws when it has none */
  rollBack(feed: Feed): Promise<void>;
  export(folder: string): Promise<BundleEntry[]>;
  import(folder: string, onReport: (report: FeedReport) => void): Promise<FeedReport[]>;
  /** Takes a snapshot that does not open out of force. */
  forget(snapshot: string): Promise<void>;
}

export interface FeedManagerOptions {
  readonly repository: Pick<IntelRepository, 'feeds' | 'snapshots' | 'lock'>;
  /** Feeds that this machine kept before it shared them with others: an empty repository starts with them. */
  readonly origin?: FeedRecords | undefined;
  readonly baselineFile: string | URL;
  readonly feeds: readonly Feed[];
  readonly clock: () => number;
  /** 0 … 1, as `Math.random`. */
  readonly random: () => number;
  /** Called for files that cannot be used. */
  readonly onDamage: (feed: string, what: string) => void;
  readonly limits?: DownloadLimits;
}

export function createFeedManager(options: FeedManagerOptions): FeedManager {
  const { repository, feeds, clock, onDamage } = options;
  const archive = createArchive({ records: repository.feeds, onDamage });
  const origin = options.origin && createArchive({ records: options.origin, onDamage });
  const round = createRoundParts(options, archive);

  return {
    async status() {
      const states = await archive.states(feeds);
      return feeds.map((feed, at) => feedStatus(feed, states[at] as FeedState, clock()));
    },
    async due() {
      const enabled = feeds.filter((feed) => feed.enabled);
      const states = await archive.states(enabled);
      const now = clock();
      const times = enabled.map((feed, at) => {
        const { url, dueAt } = states[at] as FeedState;
        return url !== feed.url || isDue(feed, dueAt, now) ? Math.min(dueAt, now) : dueAt;
      });
      return {
        feeds: enabled.filter((_, at) => (times[at] as number) <= now),
        nextAt: Math.min(...times, Number.MAX_SAFE_INTEGER),
      };
    },
    isPublishDue: round.isPublishDue,
    tryRound: (work) =>
      repository.lock.tryHold(async (lost) => {
        if (origin !== undefined) await adoptFeeds(origin, archive, feeds);
        return work({ ...round, lost });
      }),
  };
}

function createRoundParts(options: FeedManagerOptions, archive: FeedArchive) {
  const { repository, baselineFile, feeds, clock, random, limits = {} } = options;
  const { snapshots } = repository;
  const release = readVersion();
  const admit = createAdmit({ archive, guards: readGuards(), parse: parseFeed });
  const download = createDownload({ userAgent: `gatehouse/${release}`, limits });
  const schedule = createSchedule({ clock, random });
  const publisher = createPublisher({
    archive,
    snapshots,
    baselineFile,
    feeds,
    compile: compileWithFeeds,
    parse: parseFeed,
    release,
    clock,
  });
  return {
    isPublishDue: publisher.isDue,
    refresh: createRefreshFeeds({ archive, admit, download, schedule, clock }),
    publish: publisher.publish,
    async rollBack(feed: Feed) {
      const state = withRollback(await archive.state(feed));
      const there = state.current !== null && (await archive.raw(feed.id, state.current)) !== undefined;
      if (!there) throw new Error(`the earlier version ${state.current} can no longer be read`);
      await archive.saveState(feed.id, state);
    },
    ...createFeedBundle({ archive, admit, feeds, clock }),
    forget: snapshots.forget,
  };
}

/** Copies feeds with their versions, rollbacks and refusals, if no feed is known yet. */
async function adoptFeeds(from: FeedArchive, to: FeedArchive, feeds: readonly Feed[]): Promise<void> {
  const isKnown = ({ current, dueAt }: FeedState) => current !== null || dueAt > 0;
  if ((await to.states(feeds)).some(isKnown)) return;
  const states = await from.states(feeds);
  for (const [at, { id }] of feeds.entries()) {
    const state = states[at] as FeedState;
    if (!isKnown(state)) continue;
    for (const { version } of state.versions) {
      const raw = await from.raw(id, version);
      if (raw !== undefined) await to.saveRaw(id, raw);
    }
    await to.saveDeparted(id, await from.departed(id));
    await to.saveState(id, state);
  }
}
