/** Keeps keys, accounts and lists in this process up to date, and tells when they have been out of date for too long. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Reads the changes that any process made. */
export interface ChangeSource {
  /** Name for the log: `accounts`. */
  readonly name: string;
  /** Old data may be used if new data cannot be read: nothing is refused because of it. Default: false. */
  readonly mayBeOld?: boolean;
  /** @throws when it cannot be read */
  refresh(): Promise<unknown>;
}

export interface ChangePollerOptions {
  readonly parts: readonly ChangeSource[];
  /** Hints come soon after a change; if one is missed, the next poll finds the change. Returns how to unsubscribe. */
  readonly onHint: (listener: () => void) => () => void;
  /**
   * A number that changes with every commit, cheaper than a read: while it stays, nothing is read. `undefined`: unknown.
   * @throws when it cannot be read
   */
  readonly commitMark: () => number | undefined;
  /** `Date.now()` or the like. */
  readonly clock: () => number;
  readonly onFault: (name: string, error: Error) => void;
}

export interface ChangePoller {
  /**
   * Whether everything that may not be old was read within the last 10 s, and since this process was last stopped for
   * a second or more: it may have missed a revocation then.
   */
  isFresh(now: number): boolean;
  /** Waits until it is fresh, at most 200 ms for reads under way: a stall or a clock jump alone must not refuse anybody. */
  becomeFresh(): Promise<boolean>;
  /** Resolves when the reads under way have ended. */
  close(): Promise<void>;
}

const POLL_MS = 500;
const FRESH_MS = 10_000;
/** Everything is read as often as this even if nothing was committed: that shows whether it can be read. */
const READ_MS = 4_000;
const WAIT_MS = 200;
/** Time without a poll after which the process or its machine was stopped. */
const STALL_MS = 1_000;

/** Polls at once; the parts must have been read just before. */
export function createChangePoller(options: ChangePollerOptions): ChangePoller {
  const { parts, onHint, clock, onFault } = options;
  const pollers = parts.map((part) => follow(part, clock, onFault));
  const needed = pollers.filter((_, at) => parts[at]?.mayBeOld !== true);
  let polledAt = clock();

  /** Called by polls and by requests, because either may come first after a stop. */
  function noticeStall(now: number): void {
    const stalled = now - polledAt >= STALL_MS;
    polledAt = now;
    if (stalled) for (const poller of pollers) poller.markStale();
  }

  const polling = setInterval(() => {
    noticeStall(clock());
    const mark = readMark(options.commitMark);
    for (const poller of pollers) poller.pollAfter(mark);
  }, POLL_MS);
  const endHints = onHint(() => {
    for (const poller of pollers) poller.pollAgain();
  });
  function isFresh(now: number): boolean {
    noticeStall(now);
    return needed.every(({ readAt, isStale }) => !isStale() && now - readAt() < FRESH_MS);
  }

  return {
    isFresh,
    async becomeFresh() {
      // A store that has not answered for a while will hardly answer now.
      if (needed.some(({ readingFor }) => readingFor(clock()) > WAIT_MS)) return false;
      const read = Promise.all(needed.map(({ idle }) => idle()));
      await Promise.race([read, sleep(WAIT_MS, undefined, { ref: false })]);
      return isFresh(clock());
    },
    async close() {
      clearInterval(polling);
      endHints();
      await Promise.all(pollers.map(({ idle }) => idle()));
    },
  };
}

/** A mark that cannot be read is unknown: then the reads fail likewise, and report it. */
function readMark(commitMark: ChangePollerOptions['commitMark']): number | undefined {
  try {
    return commitMark();
  } catch {
    return undefined;
  }
}

function follow(part: ChangeSource, clock: () => number, onFault: ChangePollerOptions['onFault']) {
  let readAt = clock();
  let reading: Promise<void> | undefined;
  let readingSince = 0;
  let again = false;
  let stale = false;
  /** Everything that was committed before this mark has been read. */
  let readUpTo: number | undefined;

  async function read(): Promise<void> {
    do {
      again = false;
      const startedAt = clock();
      await part.refresh();
      readAt = startedAt;
    } while (again);
    stale = false;
  }

  /** One read at a time: a store that hangs gets no further queries. */
  function poll(): void {
    if (reading === undefined) readingSince = clock();
    reading ??= read()
      .catch((error: Error) => {
        readUpTo = undefined;
        onFault(part.name, error);
      })
      .finally(() => {
        reading = undefined;
      });
  }

  function pollAfter(mark: number | undefined): void {
    const isNew = mark === undefined || mark !== readUpTo;
    if (!isNew && !stale && clock() - readAt < READ_MS) return;
    // A read under way may have begun before the commit.
    readUpTo = reading === undefined ? mark : undefined;
    poll();
  }

  /** The read under way may have begun before the change. */
  function pollAgain(): void {
    again = reading !== undefined;
    poll();
  }

  return {
    readAt: () => readAt,
    /** Time that the read under way has taken so far, milliseconds. */
    readingFor: (now: number) => (reading === undefined ? 0 : now - readingSince),
    isStale: () => stale,
    pollAfter,
    pollAgain,
    /** Nothing that was read before now counts as fresh. */
    markStale() {
      stale = true;
      // A stall of our own says nothing about the store.
      readingSince = clock();
      pollAgain();
    },
    idle: async () => reading,
  };
}
