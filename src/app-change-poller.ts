/** Keeps what this process knows of keys, accounts and lists up to date, and says when it has not been for too long. */

import { setTimeout as sleep } from 'node:timers/promises';

/** Something that reads its changes, made by any process. */
export interface Followed {
  /** What it knows, for the log: `accounts`. */
  readonly name: string;
  /** Nothing may be refused because it could not be read: what is known goes on to be used. Default: false. */
  readonly mayBeOld?: boolean;
  /** @throws when it cannot be read */
  refresh(): Promise<void>;
}

export interface ChangePollerOptions {
  readonly parts: readonly Followed[];
  /** Hints that come soon after a change; one may be missed, the regular look finds what it was about. Returns what ends them. */
  readonly onHint: (listener: () => void) => () => void;
  /** `Date.now()` or the like. */
  readonly clock: () => number;
  readonly onFault: (name: string, error: Error) => void;
}

export interface ChangePoller {
  /**
   * Whether everything that may not be old was read within the last 10 s, and since this process was last held up for
   * a second. One that cannot have heard of a revocation must not go on as if there were none.
   */
  isFresh(now: number): boolean;
  /** The same, after what is being read was read, or 200 ms: a stall, or a clock that jumps, is no reason to refuse anybody. */
  becomeSound(): Promise<boolean>;
  /** Resolves when what is being read has been read. */
  close(): Promise<void>;
}

const POLL_MS = 250;
const SOUND_MS = 10_000;
const PATIENCE_MS = 200;
/** Longer than this nobody looked: the process, or its machine, was stopped. */
const HELD_UP_MS = 1_000;

/** Begins at once; the parts have just been read. */
export function createChangePoller({ parts, onHint, clock, onFault }: ChangePollerOptions): ChangePoller {
  const following = parts.map((part) => follow(part, clock, onFault));
  const needed = following.filter((_, at) => parts[at]?.mayBeOld !== true);
  let lookedAt = clock();

  /** Whatever comes first after a stop tells, a look or a request. */
  function notice(now: number): void {
    const heldUp = now - lookedAt >= HELD_UP_MS;
    lookedAt = now;
    if (heldUp) for (const one of following) one.doubt();
  }

  const looking = setInterval(() => {
    notice(clock());
    for (const one of following) one.look();
  }, POLL_MS);
  const endHints = onHint(() => {
    for (const one of following) one.lookAgain();
  });
  function isSound(now: number): boolean {
    notice(now);
    return needed.every(({ readAt, isDoubted }) => !isDoubted() && now - readAt() < SOUND_MS);
  }

  return {
    isFresh: isSound,
    async becomeSound() {
      // A store that has been silent for a while will not speak now: nobody waits for it.
      if (needed.some(({ readingFor }) => readingFor(clock()) > PATIENCE_MS)) return false;
      const read = Promise.all(needed.map(({ idle }) => idle()));
      await Promise.race([read, sleep(PATIENCE_MS, undefined, { ref: false })]);
      return isSound(clock());
    },
    async close() {
      clearInterval(looking);
      endHints();
      await Promise.all(following.map(({ idle }) => idle()));
    },
  };
}

function follow(part: Followed, clock: () => number, onFault: ChangePollerOptions['onFault']) {
  let readAt = clock();
  let reading: Promise<void> | undefined;
  let readingSince = 0;
  let again = false;
  let doubted = false;

  async function read(): Promise<void> {
    do {
      again = false;
      const startedAt = clock();
      await part.refresh();
      readAt = startedAt;
    } while (again);
    doubted = false;
  }

  /** One at a time: a store that hangs is not asked ever more. */
  function look(): void {
    if (reading === undefined) readingSince = clock();
    reading ??= read()
      .catch((error: Error) => onFault(part.name, error))
      .finally(() => {
        reading = undefined;
      });
  }

  /** What is being read may have been read before the change. */
  function lookAgain(): void {
    again = reading !== undefined;
    look();
  }

  return {
    readAt: () => readAt,
    /** For how long it has been read without an answer, milliseconds. */
    readingFor: (now: number) => (reading === undefined ? 0 : now - readingSince),
    isDoubted: () => doubted,
    look,
    lookAgain,
    /** Nothing that was read before now is believed. */
    doubt() {
      doubted = true;
      // A stall of our own says nothing about the store.
      readingSince = clock();
      lookAgain();
    },
    idle: async () => reading,
  };
}
