/** Decides when the thread of the feeds is needed: while nothing is due, polling the stored state costs less than a thread that polls. */
import type { FeedStatus } from '../model/feed-status.ts';
import type { FeedManager } from './feed-manager.ts';
import type { SnapshotRepository } from './repository.ts';
import { idOfFile } from './snapshot-container.ts';

/** The stored state of feeds, for polling. Every method rejects if the state cannot be read. */
export interface FeedWatch {
  /** Id of the active snapshot, if this build can use it; `undefined`: none. Takes some microseconds. */
  published(): Promise<string | undefined>;
  status(): Promise<readonly FeedStatus[]>;
  /** Whether a feed is due, or a snapshot has to be compiled. */
  isWorkDue(): Promise<boolean>;
}

export interface FeedWatchOptions {
  readonly manager: Pick<FeedManager, 'status' | 'due' | 'isPublishDue'>;
  readonly snapshots: Pick<SnapshotRepository, 'current'>;
  readonly baselineFile: string | URL;
  /** Whether feeds are fetched at all. */
  readonly fetching: boolean;
}

export function createFeedWatch({ manager, snapshots, baselineFile, fetching }: FeedWatchOptions): FeedWatch {
  let base: string | undefined;
  return {
    async published() {
      const current = await snapshots.current();
      if (current === undefined) return undefined;
      base ??= await idOfFile(baselineFile);
      return current.base === base ? current.id : undefined;
    },
    status: manager.status,
    isWorkDue: async () =>
      (fetching && (await manager.due()).feeds.length > 0) || (await manager.isPublishDue()),
  };
}

export interface WatchFeedsOptions {
  /** Id of the snapshot that the service answers from. */
  readonly inForce: () => string;
  /** Whether the thread runs: then it polls, and nothing is polled here. */
  readonly isRunning: () => boolean;
  readonly launch: () => void;
  readonly onStatus: (status: readonly FeedStatus[]) => void;
  /** A fault that lasts is reported once. */
  readonly onFault: (error: Error) => void;
}

/** The active snapshot is polled as often as the thread does it. */
const POLL_MS = 500;
/** Every so many polls, states and due work are read, too. */
const POLLS_PER_CHECK = 60;

/** Polls at once, and every `POLL_MS`. Returns what ends it. */
export function watchFeeds(watch: FeedWatch, options: WatchFeedsOptions): () => void {
  const { inForce, isRunning, launch, onStatus, onFault } = options;
  let polls = 0;
  let isPolling = false;
  let isOver = false;
  let fault = '';
  /** The snapshot that the last thread was started for: one that cannot be used starts no thread after the other. */
  let tried = inForce();

  async function isNeeded(isWhole: boolean): Promise<boolean> {
    if (isWhole) onStatus(await watch.status());
    const published = (await watch.published()) ?? inForce();
    if (published !== inForce() && (published !== tried || isWhole)) {
      tried = published;
      return true;
    }
    return isWhole && (await watch.isWorkDue());
  }

  async function poll(): Promise<void> {
    const isWhole = polls % POLLS_PER_CHECK === 0;
    polls += 1;
    isPolling = true;
    try {
      const isToLaunch = await isNeeded(isWhole);
      fault = '';
      if (isToLaunch && !isRunning() && !isOver) launch();
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) onFault(error as Error);
      fault = message;
    } finally {
      isPolling = false;
    }
  }

  const pollIfIdle = () => {
    if (!isPolling && !isRunning()) void poll();
  };
  pollIfIdle();
  const polling = setInterval(pollIfIdle, POLL_MS);
  return () => {
    isOver = true;
    clearInterval(polling);
  };
}
