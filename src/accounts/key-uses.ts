/** Records when keys were last used, and stores that a little later: a request does not wait for it. */
import type { AccountStore } from '../store/store.ts';

export interface KeyUses {
  /** `at`: milliseconds since the epoch. */
  note(keyId: string, at: number): void;
  /** The last use that this process knows of. */
  lastOf(keyId: string): number | undefined;
  /** Starts to store the uses. */
  start(onFault: (error: Error) => void): void;
  /** Stores the last uses. */
  close(): Promise<void>;
}

const STORE_EVERY_MS = 5_000;

export function createKeyUses(store: Pick<AccountStore, 'touchKeys'>): KeyUses {
  let unstored = new Map<string, number>();
  /** These are no change of the directory, so they do not come back with its changes. */
  const stored = new Map<string, number>();
  let storing: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    if (unstored.size === 0) return;
    const noted = unstored;
    unstored = new Map();
    for (const [id, at] of noted) stored.set(id, at);
    await store.touchKeys(noted).catch((error: unknown) => {
      // Stored the next time, unless the key was used again meanwhile.
      unstored = new Map([...noted, ...unstored]);
      throw error;
    });
  }

  return {
    note: (keyId, at) => unstored.set(keyId, at),
    lastOf: (keyId) => unstored.get(keyId) ?? stored.get(keyId),
    start(onFault) {
      storing = setInterval(() => save().catch(onFault), STORE_EVERY_MS);
    },
    async close() {
      clearInterval(storing);
      await save();
    },
  };
}
