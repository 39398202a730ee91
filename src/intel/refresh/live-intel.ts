/** Decides which snapshot the service answers from: the thread brings the next one, and it takes over between two requests. */
import { Worker } from 'node:worker_threads';
import type { Feed } from '../feeds/feed.ts';
import type { Intel } from '../intel.ts';
import { openSnapshot, readSnapshot, readVerifiedSnapshot } from '../snapshot.ts';
import { intelFolder } from './feed-keeper.ts';
import { idOfFile } from './publish.ts';
import type { ThreadData, ThreadEvent } from './refresh-thread.ts';
import { createSnapshotShelf } from './snapshot-shelf.ts';

/** The snapshot in force, and the thread that keeps it up to date. */
export interface LiveIntel {
  current(): Intel;
  /** From now on feeds are fetched, if they are to be, and what the command line publishes is followed. */
  start(): void;
  close(): Promise<void>;
}

export interface LiveIntelOptions {
  readonly dataDir: string;
  readonly baselineFile: string | URL;
  readonly feeds: readonly Feed[];
  /** Without it nothing is fetched; snapshots that the command line makes are followed all the same. */
  readonly fetching: boolean;
  /** Told of everything but the bytes of a snapshot; `swapped` comes once the snapshot is in force. */
  readonly onEvent: (event: LiveEvent) => void;
  /** Module of the thread; the built one by default. */
  readonly thread?: URL;
}

export type LiveEvent =
  | Exclude<ThreadEvent, { kind: 'snapshot' }>
  | { readonly kind: 'swapped'; readonly id: string; readonly milliseconds: number };

const RESTART_MS = 5_000;
const CLOSE_MS = 2_000;

/** @throws SnapshotError when not even the bundled snapshot opens */
export async function createLiveIntel(options: LiveIntelOptions): Promise<LiveIntel> {
  const { dataDir, baselineFile, feeds, fetching, onEvent } = options;
  const module = options.thread ?? new URL('./refresh-thread.js', import.meta.url);
  let intel = await openCurrent(dataDir, baselineFile, (why) => onEvent({ kind: 'fault', why }));
  let worker: Worker | undefined;
  let restarting: NodeJS.Timeout | undefined;
  let closed = false;

  function launch(): void {
    const shared = { dataDir, baselineFile: String(baselineFile), feeds, fetching };
    const data: ThreadData = { ...shared, inForce: intel.id };
    worker = new Worker(module, { workerData: data });
    worker.on('message', take);
    worker.on('error', (error) => onEvent({ kind: 'fault', why: error.message }));
    worker.on('exit', () => {
      worker = undefined;
      if (!closed) restarting = setTimeout(launch, RESTART_MS);
    });
  }

  function take(event: ThreadEvent): void {
    if (event.kind !== 'snapshot') {
      onEvent(event);
      return;
    }
    const started = performance.now();
    intel = readVerifiedSnapshot(event.bytes);
    onEvent({ kind: 'swapped', id: intel.id, milliseconds: performance.now() - started });
  }

  return {
    current: () => intel,
    start: launch,
    async close() {
      closed = true;
      clearTimeout(restarting);
      const ending = worker;
      if (ending === undefined) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.postMessage('close');
      // Everything it writes comes into being whole or not at all: it may be cut short.
      const late = setTimeout(() => void ending.terminate(), CLOSE_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** The snapshot that was published last, where it is whole and built upon this baseline; else the baseline. */
export async function openCurrent(
  dataDir: string,
  baselineFile: string | URL,
  onFault: (why: string) => void = () => {},
): Promise<Intel> {
  const shelf = createSnapshotShelf(intelFolder(dataDir));
  const current = await shelf.current();
  try {
    if (current !== undefined && current.base === (await idOfFile(baselineFile))) {
      return readSnapshot(await shelf.read(current.id));
    }
  } catch (error) {
    onFault(`the snapshot ${current?.id} cannot be used: ${(error as Error).message}`);
  }
  return openSnapshot(baselineFile);
}
