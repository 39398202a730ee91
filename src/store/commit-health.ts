/** Decides whether a store can commit: no longer if everything has failed for some seconds, and again after one successful commit. */

export interface CommitHealth {
  /** Something was committed. */
  succeeded(): void;
  /** A commit failed, and not because of its own content. */
  failed(error: Error): void;
  canCommit(): boolean;
  close(): void;
}

export interface CommitHealthOptions {
  /** Makes a commit that leaves nothing behind, while commits fail. @throws when it fails */
  readonly rehearse: () => Promise<unknown>;
  /** Called when it changes; with the latest error when commits have been failing. */
  readonly onChange: (canCommit: boolean, error?: Error) => void;
}

const FAILING_MS = 5_000;
const REHEARSE_EVERY_MS = 1_000;

export function createCommitHealth({ rehearse, onChange }: CommitHealthOptions): CommitHealth {
  let failingSince: number | undefined;
  let latest: Error | undefined;
  let able = true;
  let polling: NodeJS.Timeout | undefined;
  let rehearsing = false;
  let closed = false;

  function succeeded(): void {
    if (failingSince === undefined) return;
    failingSince = undefined;
    clearInterval(polling);
    polling = undefined;
    if (able) return;
    able = true;
    onChange(true);
  }

  function failed(error: Error): void {
    if (closed) return;
    latest = error;
    failingSince ??= performance.now();
    polling ??= setInterval(poll, REHEARSE_EVERY_MS).unref();
    if (!able || performance.now() - failingSince < FAILING_MS) return;
    able = false;
    onChange(false, latest);
  }

  /** One at a time: a database that hangs does not get more and more rehearsals. */
  function poll(): void {
    if (rehearsing) return;
    rehearsing = true;
    rehearse()
      .then(succeeded, failed)
      .finally(() => {
        rehearsing = false;
      });
  }

  return {
    succeeded,
    failed,
    canCommit: () => able,
    close() {
      closed = true;
      clearInterval(polling);
    },
  };
}
