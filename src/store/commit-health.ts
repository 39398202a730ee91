/** Decides whether a store can commit: no longer after the first failure of the database, and again after one successful commit. */

export interface CommitHealth {
  /** Something was committed. */
  succeeded(): void;
  /** A commit failed, and not because of its own content. */
  failed(error: Error): void;
  /** Something else failed, as it does when the database is away: a trial commit finds out whether it is. */
  suspect(): void;
  canCommit(): boolean;
  close(): void;
}

export interface CommitHealthOptions {
  /** Makes a commit that leaves nothing behind, while commits fail. Absent for a command, which ends soon. @throws when it fails */
  readonly rehearse?: (() => Promise<unknown>) | undefined;
  /** Called with the error when commits begin to fail; and when one succeeds after a failure or a suspicion. */
  readonly onChange: (canCommit: boolean, error?: Error) => void;
}

const REHEARSE_EVERY_MS = 500;

export function createCommitHealth({ rehearse, onChange }: CommitHealthOptions): CommitHealth {
  let able = true;
  let suspected = false;
  let polling: NodeJS.Timeout | undefined;
  let rehearsing = false;
  let closed = false;

  function succeeded(): void {
    if (able && !suspected) return;
    able = true;
    suspected = false;
    clearInterval(polling);
    polling = undefined;
    onChange(true);
  }

  function failed(error: Error): void {
    if (closed) return;
    poll();
    polling ??= setInterval(poll, REHEARSE_EVERY_MS).unref();
    if (!able) return;
    able = false;
    onChange(false, error);
  }

  function suspect(): void {
    if (closed || !able) return;
    suspected = rehearse !== undefined;
    poll();
  }

  /** One at a time: a database that hangs does not get more and more rehearsals. */
  function poll(): void {
    if (rehearsing || rehearse === undefined) return;
    rehearsing = true;
    // Not within the call that failed, whose own work may still be going on.
    setImmediate(() =>
      rehearse()
        .then(succeeded, failed)
        .finally(() => {
          rehearsing = false;
        }),
    );
  }

  return {
    succeeded,
    failed,
    suspect,
    canCommit: () => able,
    close() {
      closed = true;
      clearInterval(polling);
    },
  };
}
