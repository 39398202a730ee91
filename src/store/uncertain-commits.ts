/** Undoes records whose callers got an error although they may be stored, so that no credit is charged for them. */

export interface UncertainCommits {
  add(requestIds: readonly string[]): void;
  /** Tries everything that is left once more. */
  close(): Promise<void>;
}

export interface UncertainCommitsOptions {
  /** Removes those that are stored, and frees their credits; the others cost nothing. @throws when the database fails */
  readonly undo: (requestIds: readonly string[]) => Promise<unknown>;
  readonly onFault: (error: Error) => void;
}

interface UncertainCommit {
  /** Time of `performance.now()` of the next check. */
  readonly due: number;
  readonly last: boolean;
}

const SOON_MS = 500;
/** A server that was paused still runs what it had received: a second check finds what was stored after the first. */
const AGAIN_MS = 3_000;
const MAX_COMMITS = 100_000;
const AT_ONCE = 1_000;

export function createUncertainCommits({ undo, onFault }: UncertainCommitsOptions): UncertainCommits {
  const commits = new Map<string, UncertainCommit>();
  let polling: NodeJS.Timeout | undefined;
  let closed = false;

  async function poll(everything: boolean): Promise<void> {
    const now = performance.now();
    const due: [string, UncertainCommit][] = [];
    for (const entry of commits) {
      if (everything || entry[1].due <= now) due.push(entry);
      if (due.length >= AT_ONCE) break;
    }
    if (due.length === 0) return;
    await undo(due.map(([requestId]) => requestId));
    for (const [requestId, { last }] of due) {
      if (last || everything) commits.delete(requestId);
      else commits.set(requestId, { due: performance.now() + AGAIN_MS, last: true });
    }
  }

  function schedule(): void {
    if (closed || commits.size === 0) return;
    polling ??= setTimeout(() => {
      // While the database is gone, others report it already.
      void poll(false)
        .catch(() => {})
        .then(() => {
          polling = undefined;
          schedule();
        });
    }, SOON_MS).unref();
  }

  return {
    add(requestIds) {
      for (const requestId of requestIds) {
        if (commits.size >= MAX_COMMITS) {
          onFault(
            new Error('too many records are uncertain: some may stay stored, and their credits with them'),
          );
          break;
        }
        commits.set(requestId, { due: performance.now(), last: false });
      }
      schedule();
    },
    async close() {
      closed = true;
      clearTimeout(polling);
      try {
        while (commits.size > 0) await poll(true);
      } catch (error) {
        onFault(error as Error);
      }
    },
  };
}
