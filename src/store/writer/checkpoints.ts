/** Runs the checkpoint thread while there are commits, and asks it to empty the write-ahead log. */
import { createOccasionalThread, type StartThread } from '../../platform/thread.ts';
import { checkLater } from '../records/damage.ts';

export interface Checkpoints {
  /** Notes a commit each time that it is called, and then calls `act`. */
  noteAfter<Values extends readonly unknown[]>(act: (...values: Values) => void): (...values: Values) => void;
  /** Resolves when the log was empty once: no file has the earlier texts of its pages any more. @throws when the thread ended */
  emptyWal(): Promise<void>;
  close(): Promise<void>;
}

type Options = Pick<StartThread, 'stuckMs' | 'onFault' | 'onDeath'> & {
  /** Module of the thread; by default the built one. */
  readonly module?: URL | undefined;
  readonly file: string;
  /** Whether it is of a service. */
  readonly prompt: boolean;
};

const CHECKPOINTER = new URL('./checkpointer.js', import.meta.url);
const START_MS = 2_000;
/** Commits without the thread: about two megabytes of the write-ahead log. */
const MAX_UNCHECKED = 64;

/**
 * Started late, when the start of the service is over; it ends when nothing was committed for a while, and comes back after
 * some commits. While there is none the writer checkpoints by itself, so that the write-ahead log stays bounded. A service
 * also checks a large file at the start.
 */
export function startCheckpoints({ file, prompt, module = CHECKPOINTER, ...options }: Options): Checkpoints {
  const endCheck = prompt ? checkLater(file, options.onFault) : undefined;
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let commits = 0;
  const handleMessage = (message: unknown) => {
    if (message === 'emptied') for (const { resolve } of waiting.splice(0)) resolve();
    else if (waiting.length === 0) thread.rest();
  };
  const rejectWaiting = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error('the checkpoint thread ended'));
  };
  const thread = createOccasionalThread({
    ...options,
    module,
    name: 'checkpointer',
    workerData: { file },
    onMessage: handleMessage,
    onExit: rejectWaiting,
  });
  let isStarting = true;
  const starting = setTimeout(() => {
    isStarting = false;
    thread.start();
  }, START_MS).unref();

  function noteCommit(): void {
    commits += 1;
    if (isStarting || commits < MAX_UNCHECKED) return;
    commits = 0;
    thread.start();
  }

  return {
    noteAfter:
      (act) =>
      (...values) => {
        noteCommit();
        act(...values);
      },
    emptyWal() {
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (!thread.post('empty')) rejectWaiting();
      });
    },
    async close() {
      clearTimeout(starting);
      await endCheck?.();
      await thread.close();
    },
  };
}
