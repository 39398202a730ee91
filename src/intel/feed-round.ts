/** Decides what can be done with feeds while their lock is held: fetch, compile, roll back, export, import. */
import type { ProxySettings } from '../outbound/proxy-choice.ts';
import type { Feed } from './feed.ts';
import { createAdmit } from './feed-admit.ts';
import type { FeedArchive } from './feed-archive.ts';
import { type BundleEntry, createFeedBundle } from './feed-bundle.ts';
import { createDownload, type DownloadLimits } from './feed-download.ts';
import { readGuards } from './feed-guards.ts';
import { parseFeed } from './feed-parse.ts';
import { createRefreshFeeds, type FeedReport, type RefreshRun } from './feed-refresh.ts';
import { createSchedule } from './feed-schedule.ts';
import { type FeedState, withKeep, withRollback, withUse } from './feed-state.ts';
import type { IntelRepository } from './repository.ts';
import type { Publication, Publisher } from './snapshot-publisher.ts';

/** Changes that may be made while the lock is held. Everything @throws once it is lost. */
export interface FeedRound {
  /** Aborted when the lock is lost. */
  readonly lost: AbortSignal;
  /** Fetches these feeds, also if they are not due. */
  refresh(feeds: readonly Feed[], run?: RefreshRun): Promise<FeedReport[]>;
  /** Compiles the active versions, if they have changed. */
  publish(): Promise<Publication | undefined>;
  /** Returns a feed to its version before. @throws when it has none */
  rollBack(feed: Feed): Promise<void>;
  /** Uses the version that waits, or that was not taken. @throws when there is none */
  use(feed: Feed): Promise<void>;
  /** Keeps the version before the one that waits, or that was taken. @throws when there is none */
  keep(feed: Feed): Promise<void>;
  export(folder: string): Promise<BundleEntry[]>;
  import(folder: string, onReport: (report: FeedReport) => void): Promise<FeedReport[]>;
  /** Deactivates this snapshot, which cannot be opened, if it is the active one. */
  forget(snapshot: string): Promise<void>;
}

export type RoundActions = Omit<FeedRound, 'lost'>;

export interface RoundOptions {
  readonly repository: Pick<IntelRepository, 'feeds' | 'snapshots' | 'lock'>;
  readonly feeds: readonly Feed[];
  readonly clock: () => number;
  /** 0 … 1, as `Math.random`. */
  readonly random: () => number;
  readonly limits?: DownloadLimits;
  /** Proxies through which feeds are fetched. Default: none. */
  readonly proxies?: ProxySettings | undefined;
  readonly archive: FeedArchive;
  readonly publisher: Publisher;
  /** Release of this program, as publishers of feeds see it. */
  readonly release: string;
}

export function createRoundActions(options: RoundOptions): RoundActions {
  const { repository, archive, publisher, feeds, release, clock, random, limits = {}, proxies } = options;
  const admit = createAdmit({ archive, guards: readGuards(), parse: parseFeed });
  const download = createDownload({ userAgent: `gatehouse/${release}`, limits, proxies });
  const schedule = createSchedule({ clock, random });

  async function change(
    feed: Feed,
    decide: (state: FeedState) => FeedState,
    which: 'earlier' | 'new',
  ): Promise<void> {
    const state = decide(await archive.state(feed));
    const there = state.current !== null && (await archive.raw(feed.id, state.current)) !== undefined;
    if (!there) throw new Error(`the ${which} version ${state.current} can no longer be read`);
    await archive.saveState(feed.id, state);
  }

  return {
    refresh: createRefreshFeeds({ archive, admit, download, schedule, clock }),
    publish: publisher.publish,
    rollBack: (feed) => change(feed, withRollback, 'earlier'),
    use: (feed) => change(feed, withUse, 'new'),
    keep: (feed) => change(feed, withKeep, 'earlier'),
    ...createFeedBundle({ archive, admit, feeds, clock }),
    forget: repository.snapshots.forget,
  };
}
