/** Keeps what this process knows of keys, accounts and lists up to date, and says when it has not been for too long. */

/** Something that reads its changes, made by any process. */
export interface Followed {
  /** What it knows, for the log: `accounts`. */
  readonly name: string;
  /** @throws when it cannot be read */
  refresh(): Promise<void>;
}

export interface FollowOptions {
  readonly parts: readonly Followed[];
  /** Hints that come soon after a change; one may be missed, the regular look finds what it was about. Returns what ends them. */
  readonly onHint: (listener: () => void) => () => void;
  /** `Date.now()` or the like. */
  readonly clock: () => number;
  readonly onFault: (name: string, error: Error) => void;
}

export interface ChangesFollowed {
  /**
   * Whether everything was read within the last 10 s. A process that cannot hear of a revocation any more must not go on
   * as if there were none.
   */
  isSound(now: number): boolean;
  /** Resolves when what is being read has been read. */
  close(): Promise<void>;
}

const LOOK_MS = 250;
const SOUND_MS = 10_000;

/** Begins at once; the parts have just been read. */
export function followChanges({ parts, onHint, clock, onFault }: FollowOptions): ChangesFollowed {
  const following = parts.map((part) => follow(part, clock, onFault));
  const looking = setInterval(() => {
    for (const one of following) one.look();
  }, LOOK_MS);
  const endHints = onHint(() => {
    for (const one of following) one.lookAgain();
  });
  return {
    isSound: (now) => following.every(({ readAt }) => now - readAt() < SOUND_MS),
    async close() {
      clearInterval(looking);
      endHints();
      await Promise.all(following.map(({ idle }) => idle()));
    },
  };
}

function follow(part: Followed, clock: () => number, onFault: FollowOptions['onFault']) {
  let readAt = clock();
  let reading: Promise<void> | undefined;
  let again = false;

  async function read(): Promise<void> {
    do {
      again = false;
      const startedAt = clock();
      await part.refresh();
      readAt = startedAt;
    } while (again);
  }

  /** One at a time: a store that hangs is not asked ever more. */
  function look(): void {
    reading ??= read()
      .catch((error: Error) => onFault(part.name, error))
      .finally(() => {
        reading = undefined;
      });
  }

  return {
    readAt: () => readAt,
    look,
    /** What is being read may have been read before the change. */
    lookAgain() {
      again = reading !== undefined;
      look();
    },
    idle: async () => reading,
  };
}
