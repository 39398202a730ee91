/** Stores when keys, hooks and tokens were last used a little later: a request does not wait for it. */

export interface LastUses {
  /** `at`: milliseconds since the epoch. */
  note(id: string, at: number): void;
  /** The last use that this process knows of. */
  lastOf(id: string): number | undefined;
  /** Starts to store. */
  start(onFault: (error: Error) => void): void;
  /** Stores the newest uses. */
  close(): Promise<void>;
}

/** Stores when each was last used, by id. */
export type StoreUses = (uses: ReadonlyMap<string, number>) => Promise<void>;

const STORE_EVERY_MS = 5_000;

export function createLastUses(store: StoreUses): LastUses {
  let unstored = new Map<string, number>();
  /** Last uses are no change of the directory, so they do not come back with its changes. */
  const stored = new Map<string, number>();
  let storing: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    if (unstored.size === 0) return;
    const noted = unstored;
    unstored = new Map();
    for (const [id, at] of noted) stored.set(id, at);
    await store(noted).catch((error: unknown) => {
      // Stored the next time, unless it was used again meanwhile.
      unstored = new Map([...noted, ...unstored]);
      throw error;
    });
  }

  return {
    note: (id, at) => void unstored.set(id, at),
    lastOf: (id) => unstored.get(id) ?? stored.get(id),
    start(onFault) {
      storing = setInterval(() => save().catch(onFault), STORE_EVERY_MS);
    },
    async close() {
      clearInterval(storing);
      await save();
    },
  };
}
