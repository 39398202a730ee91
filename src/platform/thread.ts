/** Keeps a thread running: when it dies or is stuck, this is reported and another one starts, after a wait that grows while threads die at once. */
import { Worker } from 'node:worker_threads';
import { createNativeCalls, endOutsideCalls } from './native-calls.ts';
import { createBeat, watchBeat } from './thread-beat.ts';
import { youngLimits } from './young-limits.ts';

export type ThreadName = 'writer' | 'checkpointer' | 'history' | 'feeds' | 'waves';

export interface StartThread {
  readonly name: ThreadName;
  readonly module: URL;
  /** The thread gets a `beat` for `keepBeating` besides, and `nativeCalls`. A function: what the next thread gets, if that differs. */
  readonly workerData: object | (() => object);
  /** A thread that does not get on with anything for about so long is ended, and another one starts. */
  readonly stuckMs?: number | undefined;
  /** Max. time to close before it is ended by force. Default: as long as it wants. */
  readonly closeMs?: number;
  /** Memory for its young objects: as much as it may take although few of them live. Default: as much as `npm start` gives the main thread. */
  readonly youngMegabytes?: number;
  /** The first start is so much later; a `post` starts it at once. */
  readonly startMs?: number;
  readonly onRestart?: () => void;
  readonly onMessage?: (message: unknown) => void;
  /** Called when it ends, asked to or not. */
  readonly onExit?: () => void;
  readonly onFault: (error: Error) => void;
  /** Counts threads that ended without a request. */
  readonly onDeath: (name: ThreadName) => void;
}

export interface BackgroundThread {
  isRunning(): boolean;
  /** Tells whether there is a thread that gets it; the first one is started for it. */
  post(message: unknown): boolean;
  /** Posts `close`, which ends the thread; resolves when it has ended. */
  close(): Promise<void>;
}

/** Time longer than the longest piece of work on a slow disk and a busy machine. */
const STUCK_MS = 30_000;
const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 5_000;
/** Three halves of 32 MB. */
const YOUNG_MEGABYTES = 96;
/** Time after which a thread did not die at once. */
const STEADY_MS = 60_000;

export function startThread(options: StartThread): BackgroundThread {
  const { name, startMs = 0, stuckMs = STUCK_MS, onFault, onDeath } = options;
  let worker: Worker | undefined;
  let startedAt = 0;
  const pause = createRestartPause();
  let closing: (() => void) | undefined;
  let reason: unknown;
  let starting: NodeJS.Timeout | undefined;
  let endWatch = () => {};
  let endByForce = () => {};

  function start(then?: () => void): void {
    clearTimeout(starting);
    startedAt = performance.now();
    reason = undefined;
    const beat = createBeat(stuckMs);
    const nativeCalls = createNativeCalls();
    const started = startWorker(options, { beat, nativeCalls });
    worker = started;
    endByForce = () => endOutsideCalls(nativeCalls, () => void started.terminate());
    endWatch = watchBeat(beat, endStuck);
    worker.on('error', (error: unknown) => {
      reason = error;
    });
    worker.on('exit', ended);
    then?.();
  }

  /** It ends when the call that it is in returns: nothing can end a call to a disk that does not answer. */
  function endStuck(): void {
    reason = new Error(`it did nothing for ${stuckMs / 1_000} s`);
    onFault(new Error(`the ${name} thread is stuck (${describe(reason)}): it is ended`));
    endByForce();
  }

  function ended(): void {
    endWatch();
    worker = undefined;
    options.onExit?.();
    if (closing !== undefined) {
      closing();
      return;
    }
    onDeath(name);
    const restartMs = pause(performance.now() - startedAt);
    const why = reason === undefined ? '' : ` (${describe(reason)})`;
    onFault(new Error(`the ${name} thread stopped${why}; another one starts in ${restartMs} ms`));
    starting = setTimeout(start, restartMs, options.onRestart).unref();
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
        if (worker === undefined) return resolve();
        worker.postMessage('close');
        endLate(worker, options.closeMs, endByForce);
      });
    },
  };
}

function startWorker(options: StartThread, shared: object): Worker {
  const { module, workerData, youngMegabytes = YOUNG_MEGABYTES, onMessage } = options;
  const data = { ...dataOf(workerData), ...shared };
  const worker = new Worker(module, { workerData: data, resourceLimits: youngLimits(youngMegabytes) });
  worker.on('message', (message: unknown) => onMessage?.(message));
  return worker;
}

/** A thread that runs only while there is something to do. */
export interface OccasionalThread extends BackgroundThread {
  /** Starts one, if none was started since the last rest. */
  start(): void;
  /** Ends it and ignores its last messages. The next start, or `post`, belongs to a new thread. */
  rest(): void;
}

/** A thread that does not run before it is started, or something is posted. */
export function createOccasionalThread(options: Omit<StartThread, 'startMs'>): OccasionalThread {
  let thread: BackgroundThread | undefined;
  let isClosed = false;
  const ending = new Set<Promise<void>>();

  function start(): void {
    if (thread !== undefined || isClosed) return;
    const started = startThread({
      ...options,
      onMessage(message) {
        if (thread === started) options.onMessage?.(message);
      },
      onExit() {
        if (thread === started) options.onExit?.();
      },
    });
    thread = started;
  }

  return {
    start,
    isRunning: () => thread?.isRunning() === true,
    post(message) {
      start();
      return thread?.post(message) === true;
    },
    rest() {
      if (thread === undefined || isClosed) return;
      const ended = thread.close().finally(() => ending.delete(ended));
      ending.add(ended);
      thread = undefined;
    },
    async close() {
      isClosed = true;
      await Promise.all([thread?.close(), ...ending]);
    },
  };
}

function dataOf(workerData: StartThread['workerData']): object {
  return typeof workerData === 'function' ? workerData() : workerData;
}

/** Pause before the next start. @returns a function of how long the last thread ran, milliseconds */
function createRestartPause(): (ranMs: number) => number {
  let next = FIRST_RESTART_MS;
  return (ranMs) => {
    const pause = ranMs > STEADY_MS ? FIRST_RESTART_MS : next;
    next = Math.min(2 * pause, MAX_RESTART_MS);
    return pause;
  };
}

function endLate(worker: Worker, closeMs: number | undefined, endByForce: () => void): void {
  if (closeMs === undefined) return;
  const late = setTimeout(endByForce, closeMs);
  worker.once('exit', () => clearTimeout(late));
}

/** An error of the database comes over from its thread as a plain object with its code alone. */
function describe(reason: unknown): string {
  const { code, message } = Object(reason) as { code?: string; message?: string };
  if (code === 'SQLITE_FULL') return 'disk full';
  return message ?? code ?? String(reason);
}
