/** Takes back records whose callers heard an error although the server may have stored them: no credit is charged for nothing. */
import type { Database } from '../database.ts';

export interface TakeBack {
  add(requestIds: readonly string[]): void;
  /** Tries once more all that is left. */
  close(): Promise<void>;
}

export interface TakeBackOptions {
  readonly database: Database;
  readonly onFault: (error: Error) => void;
}

interface Doubt {
  /** Instant of `performance.now()` to look at. */
  readonly due: number;
  readonly last: boolean;
}

const SOON_MS = 500;
/** A server that was paused works off what it had received already: a second look finds what came after the first. */
const AGAIN_MS = 3_000;
const MOST_DOUBTS = 100_000;
const AT_ONCE = 1_000;

export function createTakeBack({ database, onFault }: TakeBackOptions): TakeBack {
  const doubts = new Map<string, Doubt>();
  let looking: NodeJS.Timeout | undefined;
  let closed = false;

  async function look(everything: boolean): Promise<void> {
    const now = performance.now();
    const due = [...doubts].filter(([, doubt]) => everything || doubt.due <= now).slice(0, AT_ONCE);
    if (due.length === 0) return;
    await database.query('SELECT gatehouse_take_back_1($1::text[])', [due.map(([requestId]) => requestId)]);
    for (const [requestId, { last }] of due) {
      if (last || everything) doubts.delete(requestId);
      else doubts.set(requestId, { due: performance.now() + AGAIN_MS, last: true });
    }
  }

  function schedule(): void {
    if (closed || doubts.size === 0) return;
    looking ??= setTimeout(() => {
      // While the server is gone there is nothing to tell that others do not tell.
      void look(false)
        .catch(() => {})
        .then(() => {
          looking = undefined;
          schedule();
        });
    }, SOON_MS).unref();
  }

  return {
    add(requestIds) {
      for (const requestId of requestIds) {
        if (doubts.size >= MOST_DOUBTS) {
          onFault(new Error('too many records are in doubt: some may stay, and their credits with them'));
          break;
        }
        doubts.set(requestId, { due: performance.now(), last: false });
      }
      schedule();
    },
    async close() {
      closed = true;
      clearTimeout(looking);
      try {
        while (doubts.size > 0) await look(true);
      } catch (error) {
        onFault(error as Error);
      }
    },
  };
}
