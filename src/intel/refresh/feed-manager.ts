/** Everything that can be done with the feeds of one installation; the service's thread and the command line both do it here. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedStatus } from '../../model/feed-status.ts';
import { compileWithFeeds } from '../compile-feeds.ts';
import { createAdmit } from '../feeds/admit.ts';
import { createArchive } from '../feeds/archive.ts';
import { createDownload, type DownloadLimits } from '../feeds/download.ts';
import type { Feed } from '../feeds/feed.ts';
import { type FeedState, withRollback } from '../feeds/feed-state.ts';
import { readGuards } from '../feeds/guards.ts';
import { parseFeed } from '../formats/parse-feed.ts';
import { type BundleEntry, createFeedBundle } from './feed-bundle.ts';
import { feedStatus } from './feed-status.ts';
import { createProcessLock } from './process-lock.ts';
import { createPublisher, type Publication } from './publish.ts';
import { createRefreshFeeds, type FeedReport, type RefreshRun } from './refresh-feeds.ts';
import { createSchedule, isDue } from './schedule.ts';
import { createSnapshotRepository, type SnapshotRepository } from './snapshot-repository.ts';

export interface FeedManager {
  readonly shelf: SnapshotRepository;
  status(): Promise<FeedStatus[]>;
  /** The enabled feeds whose turn has come, and when the first turn of all comes or came, milliseconds since the epoch. */
  due(): Promise<{ feeds: Feed[]; nextAt: number }>;
  /** Fetches these feeds, whether or not their turn has come. */
  refresh(feeds: readonly Feed[], run?: RefreshRun): Promise<FeedReport[]>;
  /** Compiles what is in force, if that has changed. */
  publish(): Promise<Publication | undefined>;
  /** Returns a feed to its version before. @throws when it has none */
  rollBack(feed: Feed): Promise<FeedStatus>;
  export(folder: string): Promise<BundleEntry[]>;
  import(folder: string, onReport: (report: FeedReport) => void): Promise<FeedReport[]>;
  /** Runs `work` while nobody changes anything here. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface FeedManagerOptions {
  readonly dataDir: string;
  readonly baselineFile: string | URL;
  readonly feeds: readonly Feed[];
  readonly clock: () => number;
  /** 0 … 1, as `Math.random`. */
  readonly random: () => number;
  /** Told of files that cannot be used. */
  readonly onDamage: (feed: string, what: string) => void;
  readonly limits?: DownloadLimits;
}

export function createFeedManager(options: FeedManagerOptions): FeedManager {
  const { dataDir, baselineFile, feeds, clock, random, onDamage, limits = {} } = options;
  const folder = intelFolder(dataDir);
  const release = ownVersion();
  const archive = createArchive({ folder: join(folder, 'feeds'), onDamage });
  const shelf = createSnapshotRepository(folder);
  const lock = createProcessLock({ file: join(folder, 'feeds.lock') });
  const admit = createAdmit({ archive, guards: readGuards(), parse: parseFeed });
  const download = createDownload({ userAgent: `gatehouse/${release}`, limits });
  const schedule = createSchedule({ clock, random });
  const refresh = createRefreshFeeds({ archive, admit, download, lock, schedule, clock });
  const carry = createFeedBundle({ archive, admit, feeds, clock });
  const publisher = createPublisher({
    archive,
    shelf,
    baselineFile,
    feeds,
    compile: compileWithFeeds,
    parse: parseFeed,
    release,
    clock,
  });
  const statusOf = async (feed: Feed) => feedStatus(feed, await archive.state(feed), clock());

  return {
    shelf,
    refresh,
    status: () => Promise.all(feeds.map(statusOf)),
    async due() {
      const enabled = feeds.filter((feed) => feed.enabled);
      const states = await Promise.all(enabled.map((feed) => archive.state(feed)));
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
    publish: async () => ((await publisher.isDue()) ? lock.hold(publisher.publish) : undefined),
    rollBack: (feed) =>
      lock.hold(async () => {
        const state = withRollback(await archive.state(feed));
        const there = state.current !== null && (await archive.raw(feed.id, state.current)) !== undefined;
        if (!there) throw new Error(`the earlier version ${state.current} cannot be read any more`);
        await archive.saveState(feed.id, state);
        return statusOf(feed);
      }),
    export: (target) => lock.hold(() => carry.export(target)),
    import: (source, onReport) => lock.hold(() => carry.import(source, onReport)),
    alone: lock.hold,
  };
}

/** Where an installation keeps its feeds and the snapshots made of them. */
export function intelFolder(dataDir: string): string {
  return join(dataDir, 'intel');
}

function ownVersion(): string {
  const manifest = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
