/** The life of the thread that fetches and compiles, so that nothing of it is done between two requests. */
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createSteadyClock } from '../../steady-clock.ts';
import { carryOut, type FeedTask, type TaskOutcome } from '../sharing/feed-task.ts';
import { createSharedFeeds, type LeadersWork, type SharedFeeds } from '../sharing/shared-feeds.ts';
import type { Leadership, SharedFolders } from '../sharing/shared-folders.ts';
import { createFeedManager, type FeedManager, intelFolder } from './feed-manager.ts';
import { createFollowShelf } from './follow-snapshots.ts';
import { pollLoop } from './poll-loop.ts';
import { idOfFile } from './publish.ts';
import type { FeedReport } from './refresh-feeds.ts';
import type { ThreadData, ThreadEvent, ThreadOrder } from './thread-messages.ts';

const FOLLOW_MS = 200;
const REST_MS = 1_000;
/** The command line may change what is due. */
const LONGEST_REST_MS = 30_000;
/** The status may change without the feeds: they grow stale, and the command line refreshes them. */
const STATUS_MS = 10_000;

/** A jump of the clock that is taken back sooner makes nothing stale. */
const CLOCK_PATIENCE_MS = 3_600_000;

const data = workerData as ThreadData;
const clock = createSteadyClock({
  wall: Date.now,
  monotonic: () => performance.now(),
  patienceMs: CLOCK_PATIENCE_MS,
});
const stopping = new AbortController();
const onFault = (error: unknown) => tell({ kind: 'fault', why: (error as Error).message });
const onReport = (report: FeedReport) => tell({ kind: 'report', report });

/** @param folders what several nodes share; without it this node keeps its feeds alone */
export async function runThread(folders?: SharedFolders): Promise<void> {
  const { baselineFile: file, dataDir, feeds, fetching, inForce } = data;
  const baselineFile = file.startsWith('file:') ? new URL(file) : file;
  const base = await idOfFile(baselineFile);
  const keeper = createFeedManager({
    dataDir,
    baselineFile,
    feeds,
    clock,
    random: Math.random,
    onDamage: (feed, what) => tell({ kind: 'fault', why: `${feed}: ${what}` }),
  });
  const shared =
    folders &&
    createSharedFeeds({
      folders,
      base,
      folder: intelFolder(dataDir),
      keeper,
      leading: fetching ? 'always' : 'asked',
      clock,
      carryOut: (task, source) => doTask(keeper, task, source),
      onLead: (leads) => tell({ kind: 'lead', leads }),
      onFault,
    });
  const follow = createFollowShelf({
    shelf: keeper.shelf,
    base,
    inForce,
    mayFollow: (id) => shared?.isInForce(id) ?? true,
    handOver: (bytes) => tell({ kind: 'snapshot', bytes }),
  });
  const tellStatus = async () => tell({ kind: 'status', status: await keeper.status() });
  takeOrders(keeper, shared, tellStatus);
  await Promise.all([
    repeat(() => turn(keeper, shared, tellStatus), LONGEST_REST_MS),
    repeat(() => follow().then(() => FOLLOW_MS), REST_MS),
    repeat(() => tellStatus().then(() => STATUS_MS), STATUS_MS),
    shared && pollLoop({ shared, signal: stopping.signal, onChange: tellStatus, onFault }),
  ]);
  await shared?.close();
  parentPort?.close();
}

function tell(event: ThreadEvent): void {
  parentPort?.postMessage(event, event.kind === 'snapshot' ? [event.bytes.buffer as ArrayBuffer] : []);
}

/** `lead`: of the node that does it for all. */
function doTask(keeper: FeedManager, task: FeedTask, source = ''): LeadersWork<TaskOutcome> {
  const { feeds } = data;
  return (signal, lead) =>
    carryOut(task, { keeper, feeds, signal, onReport, source, publish: () => publish(keeper, lead) }).finally(
      () => tell({ kind: 'round' }),
    );
}

async function publish(keeper: FeedManager, lead: Leadership | undefined) {
  const publication = await (lead?.patiently(keeper.publish) ?? keeper.publish());
  if (publication !== undefined) tell({ kind: 'published', publication });
  return publication;
}

/** One pass over what is due, by the node that leads; returns how long to rest. */
async function turn(
  keeper: FeedManager,
  shared: SharedFeeds | undefined,
  tellStatus: () => Promise<void>,
): Promise<number> {
  const pass: LeadersWork<number> = async (signal, lead) => {
    const due = data.fetching ? (await keeper.due()).feeds : [];
    if (due.length > 0) {
      await keeper.refresh(due, { signal: AbortSignal.any([signal, stopping.signal]), onReport });
      tell({ kind: 'round' });
      await tellStatus();
    }
    if (!signal.aborted && !stopping.signal.aborted) await publish(keeper, lead);
    if (!data.fetching) return LONGEST_REST_MS;
    const { nextAt } = await keeper.due();
    return Math.min(LONGEST_REST_MS, Math.max(REST_MS, nextAt - clock()));
  };
  if (shared === undefined) return pass(stopping.signal, undefined);
  return (await shared.whileLeading(pass)) ?? REST_MS;
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
function takeOrders(
  keeper: FeedManager,
  shared: SharedFeeds | undefined,
  tellStatus: () => Promise<void>,
): void {
  async function obey(order: ThreadOrder): Promise<void> {
    const task = 'refresh' in order ? { refresh: order.refresh } : { rollBack: order.rollBack };
    if (shared === undefined) await doTask(keeper, task)(stopping.signal, undefined);
    else {
      await shared.ask(task);
      // What the leader made of it is here before it is called done.
      await shared.poll();
    }
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
}
