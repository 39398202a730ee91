/** The thread that fetches and compiles, so that nothing of it is done between two requests. */
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Feed } from '../feeds/feed.ts';
import { readSnapshot } from '../snapshot.ts';
import { createFeedKeeper } from './feed-keeper.ts';
import type { FeedStatus } from './feed-status.ts';
import { idOfFile, type Publication } from './publish.ts';
import type { FeedReport } from './refresh-feeds.ts';

export interface ThreadData {
  readonly dataDir: string;
  /** A path or a `file:` URL. */
  readonly baselineFile: string;
  readonly feeds: readonly Feed[];
  readonly fetching: boolean;
  /** Id of the snapshot that the service answers from. */
  readonly inForce: string;
}

export type ThreadEvent =
  /** Whole and checked; the memory is handed over. */
  | { readonly kind: 'snapshot'; readonly bytes: Uint8Array }
  | { readonly kind: 'report'; readonly report: FeedReport }
  | { readonly kind: 'published'; readonly publication: Publication }
  | { readonly kind: 'status'; readonly status: readonly FeedStatus[] }
  | { readonly kind: 'fault'; readonly why: string }
  /** An order was carried out, or why not. */
  | { readonly kind: 'done'; readonly order: number; readonly why: string | null };

/** What the thread is asked to do, beside stopping. */
export type ThreadOrder = { readonly order: number } & (
  | { readonly refresh: readonly string[] }
  | { readonly rollBack: string }
);

const FOLLOW_MS = 200;
const REST_MS = 1_000;
/** The command line may change what is due. */
const LONGEST_REST_MS = 30_000;
/** The status may change without the feeds: they grow stale, and the command line refreshes them. */
const STATUS_MS = 10_000;

const { dataDir, feeds, fetching, ...given } = workerData as ThreadData;
const baselineFile = given.baselineFile.startsWith('file:')
  ? new URL(given.baselineFile)
  : given.baselineFile;
const stopping = new AbortController();
const onFault = (error: unknown) => tell({ kind: 'fault', why: (error as Error).message });
const keeper = createFeedKeeper({
  dataDir,
  baselineFile,
  feeds,
  clock: Date.now,
  random: Math.random,
  onDamage: (feed, what) => tell({ kind: 'fault', why: `${feed}: ${what}` }),
});
let seen = given.inForce;

function tell(event: ThreadEvent): void {
  parentPort?.postMessage(event, event.kind === 'snapshot' ? [event.bytes.buffer as ArrayBuffer] : []);
}

/** Hands over what was published, here or by the command line. What does not open is forgotten, and made anew. */
async function follow(base: string): Promise<number> {
  const current = await keeper.shelf.current();
  if (current === undefined || current.base !== base || current.id === seen) return FOLLOW_MS;
  try {
    const file = await keeper.shelf.read(current.id);
    const bytes = file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
    readSnapshot(bytes);
    seen = current.id;
    tell({ kind: 'snapshot', bytes });
  } catch (error) {
    await keeper.shelf.forget(current.id);
    throw error;
  }
  return FOLLOW_MS;
}

async function publish(): Promise<void> {
  const publication = await keeper.publish();
  if (publication !== undefined) tell({ kind: 'published', publication });
}

async function tellStatus(): Promise<void> {
  tell({ kind: 'status', status: await keeper.status() });
}

async function fetchAll(chosen: readonly Feed[]): Promise<void> {
  if (chosen.length === 0) return;
  const { signal } = stopping;
  await keeper.refresh(chosen, {
    signal,
    onReport: (report: FeedReport) => tell({ kind: 'report', report }),
  });
  await tellStatus();
}

/** One pass over what is due; returns how long to rest. */
async function turn(): Promise<number> {
  await fetchAll(fetching ? (await keeper.due()).feeds : []);
  if (!stopping.signal.aborted) await publish();
  if (!fetching) return LONGEST_REST_MS;
  const { nextAt } = await keeper.due();
  return Math.min(LONGEST_REST_MS, Math.max(REST_MS, nextAt - Date.now()));
}

/** Runs `work` again and again, each time after the rest it asks for, until the thread is told to stop. */
async function repeat(work: () => Promise<number>, restAfterFault: number): Promise<void> {
  const { signal } = stopping;
  while (!signal.aborted) {
    const rest = await work().catch((error: unknown) => {
      onFault(error);
      return restAfterFault;
    });
    await setTimeout(rest, undefined, { signal }).catch(() => {});
  }
}

/** People ask for it: turns that are due come on their own all the same. */
async function obey(order: ThreadOrder): Promise<void> {
  const named = feeds.filter(({ id, enabled }) =>
    'refresh' in order ? enabled && order.refresh.includes(id) : order.rollBack === id,
  );
  if ('refresh' in order) await fetchAll(named);
  else for (const feed of named) await keeper.rollBack(feed);
  await publish();
  await tellStatus();
}

parentPort?.on('message', (message: 'close' | ThreadOrder) => {
  if (message === 'close') {
    stopping.abort();
    return;
  }
  const done = (why: string | null) => tell({ kind: 'done', order: message.order, why });
  obey(message).then(
    () => done(null),
    (error: Error) => done(error.message),
  );
});
const base = await idOfFile(baselineFile);
await Promise.all([
  repeat(turn, LONGEST_REST_MS),
  repeat(() => follow(base), REST_MS),
  repeat(() => tellStatus().then(() => STATUS_MS), STATUS_MS),
]);
parentPort?.close();
