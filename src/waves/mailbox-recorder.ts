/** Stores which addresses of mailboxes were used: a little later, a few at a time, and nobody waits for it. */
import type { MailboxUse } from '../model/mailbox-address.ts';
import type { MailboxStore } from '../store/mailbox-store.ts';
import { mergeUse } from './mailbox-learner.ts';

export interface MailboxRecorder {
  /** Notes uses that are to be stored, in any order; the same again changes nothing. */
  learned(uses: Iterable<MailboxUse>): void;
  /** Stores what is not stored yet. @throws when it cannot be stored */
  flush(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

export interface MailboxRecorderOptions {
  readonly store: Pick<MailboxStore, 'saveMailboxUses'>;
  readonly onFault: (error: Error) => void;
  /** Max. uses that wait. Default 50,000; more are left to the next start. */
  readonly maxWaiting?: number;
}

/** Uses that are stored at once: some milliseconds of the database. */
const BATCH = 250;
const PAUSE_MS = 1_000;
/** Factor of the pause after a batch that was full, of the time that it took: others store meanwhile. */
const REST = 4;
const AFTER_FAULT_MS = 10_000;

export function createMailboxRecorder(options: MailboxRecorderOptions): MailboxRecorder {
  const { store, onFault, maxWaiting = 50_000 } = options;
  const waiting = new Map<string, MailboxUse>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Resolves to whether there is more. */
  async function writeBatch(): Promise<boolean> {
    const batch = [...waiting].slice(0, BATCH);
    if (batch.length === 0) return false;
    for (const [key] of batch) waiting.delete(key);
    try {
      await store.saveMailboxUses(batch.map(([, use]) => use));
    } catch (error) {
      for (const [, use] of batch) mergeUse(waiting, use);
      throw error;
    }
    return waiting.size > 0;
  }

  async function writeSoon(): Promise<number> {
    const began = performance.now();
    try {
      return (await writeBatch()) ? REST * (performance.now() - began) : PAUSE_MS;
    } catch (error) {
      onFault(error as Error);
      return AFTER_FAULT_MS;
    }
  }

  function plan(pauseMs: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      writing = writeSoon().then(plan);
    }, pauseMs).unref();
  }

  async function flush(): Promise<void> {
    while (await writeBatch());
  }

  return {
    learned(uses) {
      for (const use of uses) if (waiting.size < maxWaiting) mergeUse(waiting, use);
    },
    flush,
    start: () => plan(PAUSE_MS),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await writing;
      await flush().catch(onFault);
    },
  };
}
