/** Decides which snapshot the service answers from: the thread brings the next one, and it takes over between two requests. */
import type { FeedFlips, FeedStatus } from '../model/feed-status.ts';
import type { ProxySettings } from '../outbound/proxy-choice.ts';
import { type BackgroundThread, createOccasionalThread, type StartThread } from '../platform/thread.ts';
import type { Feed } from './feed.ts';
import { createFeedEventLog, type FeedEventLogOptions } from './feed-event-log.ts';
import { newState } from './feed-state.ts';
import { feedStatus } from './feed-status.ts';
import { type FeedWatch, watchFeeds } from './feed-watch.ts';
import type { Intel } from './intel.ts';
import type {
  FeedDecision,
  ReviewAnswer,
  ThreadData,
  ThreadEvent,
  ThreadOrder,
} from './live-thread-messages.ts';
import { readVerifiedSnapshot } from './snapshot.ts';

/** Compares the verdicts under two snapshots. @returns the feeds that change too many */
export type ReviewFeeds = (active: Intel, candidate: Intel) => Promise<readonly FeedFlips[]>;

/** The active snapshot, and the thread that keeps it up to date. */
export interface LiveIntel {
  current(): Intel;
  /** Time at which the active snapshot took over, milliseconds since the epoch; `null`: it was there at the start. */
  since(): number | null;
  /** The state of each feed, as the thread last sent it; empty before that. */
  status(): readonly FeedStatus[];
  /** Whether feeds are being fetched because somebody asked. */
  refreshing(): boolean;
  /** Fetches these feeds now, also if they are not due. @throws when the thread is not there */
  refresh(ids: readonly string[]): Promise<void>;
  /** Returns a feed to its version before. @throws when it has none, or the thread is not there */
  rollBack(id: string): Promise<void>;
  /** Uses the version of a feed that waits for a person, or that was not taken. @throws when there is none, or the thread is not there */
  use(id: string): Promise<void>;
  /** Keeps the version before it. @throws likewise */
  keep(id: string): Promise<void>;
  /** Has each new snapshot compared with the active one. Call it before the start. */
  reviewWith(review: ReviewFeeds): void;
  /** Starts to fetch feeds, if that is enabled, and to use snapshots of the command line. */
  start(): void;
  close(): Promise<void>;
}

export interface LiveIntelOptions extends FeedEventLogOptions {
  /** The snapshot that the service uses until the thread brings another one. */
  readonly initial: Intel;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly feeds: readonly Feed[];
  /** Whether feeds are fetched; snapshots that the command line makes are used in either case. */
  readonly fetching: boolean;
  /** Proxies through which feeds are fetched. Default: none. */
  readonly proxies?: ProxySettings | undefined;
  /**
   * Whether feeds or snapshots are kept, or others may keep some: without any, and without fetching, nothing has to be
   * done. Then the thread is not started before there are some. Some microseconds; asked every two seconds.
   */
  readonly isAnythingKept: () => boolean;
  /** Watch that lets the thread run only while there is something to do; without it, it always runs. */
  readonly watch?: FeedWatch | undefined;
  /** The module of the thread: it opens the repository that `ThreadData` names, and calls `runThread`. */
  readonly thread: URL;
  /** Counts threads that nobody asked to end. */
  readonly onDeath: StartThread['onDeath'];
  /** Time without getting on with anything after which the thread is stuck, about, milliseconds. */
  readonly stuckMs?: number;
}

/** Interval of the check whether there is something to follow by now. */
const BEGIN_CHECK_MS = 2_000;
/** Compiling all feeds is one piece of work, which takes seconds on a slow machine. */
const STUCK_MS = 120_000;
/** Max. time to close: all its writes are atomic, so it may be ended early. */
const CLOSE_MS = 2_000;

/** Functions here use the options without `initial`, so that the first snapshot leaves memory when another takes over. */
export function createLiveIntel({ initial, ...options }: LiveIntelOptions): LiveIntel {
  const { watch } = options;
  const logEvent = createFeedEventLog(options);
  let intel = initial;
  /** Nothing is kept before that, so there is nothing to follow and nothing to order. */
  let isBegun = false;
  let endWatch = () => {};
  let waiting: NodeJS.Timeout | undefined;
  let since: number | null = null;
  let status: readonly FeedStatus[] = [];
  const orders = createOrders(() => (isBegun ? thread : undefined));
  const inForce = () => intel.id;
  const logFault = ({ message }: Error) => logEvent({ kind: 'fault', why: message });
  const onExit = orders.giveUp;
  const thread = createFeedThread(options, { inForce, onMessage: take, onExit, onFault: logFault });

  const reviews = createReviews({ active: () => intel, thread, onFault: logFault });

  function begin(): void {
    isBegun = true;
    if (watch === undefined) thread.start();
    else {
      const onStatus = (read: readonly FeedStatus[]) => take({ kind: 'status', status: read });
      const { isRunning, start: launch } = thread;
      endWatch = watchFeeds(watch, { inForce, isRunning, launch, onStatus, onFault: logFault });
    }
  }

  /** Begins as soon as there is something to follow. */
  function beginIfNeeded(): void {
    if (options.fetching || options.isAnythingKept()) begin();
    else {
      if (status.length === 0) take({ kind: 'status', status: unfetched(options.feeds) });
      waiting = setTimeout(beginIfNeeded, BEGIN_CHECK_MS);
    }
  }

  function take(event: ThreadEvent): void {
    if (event.kind === 'idle') {
      if (watch !== undefined && orders.isEmpty()) thread.rest();
    } else if (event.kind === 'done') orders.finishOrder(event.order, event.why);
    else if (event.kind === 'snapshot') swap(event.bytes);
    else if (event.kind === 'review') void reviews.compare(event);
    else {
      if (event.kind === 'status') status = event.status;
      logEvent(event);
    }
  }

  function swap(bytes: Uint8Array): void {
    const started = performance.now();
    intel = readVerifiedSnapshot(bytes);
    since = Date.now();
    logEvent({ kind: 'swapped', id: intel.id, milliseconds: performance.now() - started });
  }

  return {
    current: () => intel,
    since: () => since,
    status: () => status,
    ...orders.ofPeople,
    reviewWith: reviews.reviewWith,
    start: beginIfNeeded,
    async close() {
      clearTimeout(waiting);
      endWatch();
      await thread.close();
    },
  };
}

interface ReviewsOptions {
  readonly active: () => Intel;
  readonly thread: Pick<BackgroundThread, 'isRunning' | 'post'>;
  readonly onFault: (error: Error) => void;
}

/** Answers to the thread, which waits for them before it publishes. A snapshot that cannot be compared is used, because the gate has let it pass. */
function createReviews({ active, thread, onFault }: ReviewsOptions) {
  let review: ReviewFeeds | undefined;
  return {
    reviewWith(compareVerdicts: ReviewFeeds): void {
      review = compareVerdicts;
    },
    async compare({ review: id, bytes }: Extract<ThreadEvent, { kind: 'review' }>): Promise<void> {
      let flips: readonly FeedFlips[] = [];
      try {
        flips = (await review?.(active(), readVerifiedSnapshot(bytes))) ?? [];
      } catch (error) {
        onFault(error as Error);
      }
      if (thread.isRunning()) thread.post({ review: id, flips } satisfies ReviewAnswer);
    },
  };
}

function unfetched(feeds: readonly Feed[]): FeedStatus[] {
  return feeds.map((feed) => feedStatus(feed, newState(feed.url), Date.now()));
}

function createFeedThread(
  {
    thread,
    dataDir,
    databaseUrl,
    feeds,
    fetching,
    proxies,
    stuckMs = STUCK_MS,
    onDeath,
  }: Omit<LiveIntelOptions, 'initial'>,
  {
    inForce,
    onMessage,
    onExit,
    onFault,
  }: {
    readonly inForce: () => string;
    readonly onMessage: (event: ThreadEvent) => void;
    readonly onExit: () => void;
    readonly onFault: (error: Error) => void;
  },
) {
  return createOccasionalThread({
    name: 'feeds',
    module: thread,
    workerData: (): ThreadData => ({ dataDir, databaseUrl, feeds, fetching, proxies, inForce: inForce() }),
    stuckMs,
    closeMs: CLOSE_MS,
    onMessage: (event) => onMessage(event as ThreadEvent),
    onExit,
    onFault,
    onDeath,
  });
}

type Order = { readonly refresh: readonly string[] } | FeedDecision;

/**
 * Orders that the thread has not finished yet.
 * @param thread `undefined` while there is nothing to order
 */
function createOrders(thread: () => Pick<BackgroundThread, 'post'> | undefined) {
  const open = new Map<number, { order: Order; settle: (why: string | null) => void }>();
  let lastId = 0;

  function finishOrder(id: number, why: string | null): void {
    open.get(id)?.settle(why);
    open.delete(id);
  }

  function give(order: Order): Promise<void> {
    return new Promise((resolve, reject) => {
      lastId += 1;
      const message: ThreadOrder = { order: lastId, ...order };
      if (thread()?.post(message) !== true)
        return reject(new Error('the thread that updates the feeds is not running'));
      const settle = (why: string | null) => (why === null ? resolve() : reject(new Error(why)));
      open.set(lastId, { order, settle });
    });
  }

  return {
    finishOrder,
    isEmpty: () => open.size === 0,
    giveUp() {
      for (const id of [...open.keys()]) finishOrder(id, 'the thread that updates the feeds has ended');
    },
    ofPeople: {
      refreshing: () => [...open.values()].some(({ order }) => 'refresh' in order),
      refresh: (ids: readonly string[]) => give({ refresh: ids }),
      rollBack: (id: string) => give({ rollBack: id }),
      use: (id: string) => give({ use: id }),
      keep: (id: string) => give({ keep: id }),
    },
  };
}
