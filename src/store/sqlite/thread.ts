/** Keeps a thread of the store running: when it dies, this is reported and another one starts, after a wait that grows while threads die at once. */
import { Worker } from 'node:worker_threads';

export type StoreThreadName = 'writer' | 'checkpointer' | 'log';

export interface StartThread {
  readonly name: StoreThreadName;
  readonly module: URL;
  readonly workerData: object;
  /** The first start is so much later; a `post` starts it at once. */
  readonly startMs?: number;
  readonly onRestart?: () => void;
  readonly onMessage?: (message: unknown) => void;
  /** Called when it ends, asked to or not. */
  readonly onExit?: () => void;
  readonly onFault: (error: Error) => void;
  /** Counts what was not asked to end. */
  readonly onDeath: (name: StoreThreadName) => void;
}

export interface StoreThread {
  isRunning(): boolean;
  /** Tells whether there is a thread that gets it; the first one is started for it. */
  post(message: unknown): boolean;
  /** Posts `close`, at which the thread ends by itself; resolves when it has ended. */
  close(): Promise<void>;
}

const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 5_000;
/** Who has run for so long did not die at once. */
const STEADY_MS = 60_000;

export function startThread(options: StartThread): StoreThread {
  const { name, module, workerData, startMs = 0, onFault, onDeath } = options;
  let worker: Worker | undefined;
  let startedAt = 0;
  let restartMs = FIRST_RESTART_MS;
  let closing: (() => void) | undefined;
  let reason: unknown;
  let starting: NodeJS.Timeout | undefined;

  function start(): void {
    clearTimeout(starting);
    startedAt = performance.now();
    reason = undefined;
    worker = new Worker(module, { workerData });
    worker.on('message', (message: unknown) => options.onMessage?.(message));
    worker.on('error', (error: unknown) => {
      reason = error;
    });
    worker.on('exit', ended);
  }

  function restart(): void {
    start();
    options.onRestart?.();
  }

  function ended(): void {
    worker = undefined;
    options.onExit?.();
    if (closing !== undefined) {
      closing();
      return;
    }
    onDeath(name);
    if (performance.now() - startedAt > STEADY_MS) restartMs = FIRST_RESTART_MS;
    const why = reason === undefined ? '' : ` (${describe(reason)})`;
    onFault(new Error(`the ${name} thread stopped${why}; another one starts in ${restartMs} ms`));
    starting = setTimeout(restart, restartMs).unref();
    restartMs = Math.min(2 * restartMs, MAX_RESTART_MS);
  }

  if (startMs === 0) start();
  else starting = setTimeout(start, startMs).unref();
  return {
    isRunning: () => worker !== undefined,
    post(message) {
      if (startedAt === 0 && closing === undefined) start();
      worker?.postMessage(message);
      return worker !== undefined;
    },
    close() {
      return new Promise((resolve) => {
        closing = resolve;
        clearTimeout(starting);
        if (worker === undefined) resolve();
        else worker.postMessage('close');
      });
    },
  };
}

/** An error of the database comes over from its thread as a plain object with its code alone. */
function describe(reason: unknown): string {
  const { code, message } = Object(reason) as { code?: string; message?: string };
  if (code === 'SQLITE_FULL') return 'disk full';
  return message ?? code ?? String(reason);
}
