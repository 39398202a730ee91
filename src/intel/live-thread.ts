/** Runs the thread that fetches and compiles feeds, so that the thread that answers requests does neither. */
import { parentPort } from 'node:worker_threads';
import type { FeedFlips } from '../model/feed-status.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import { BASELINE_FILE } from './bundled-snapshot.ts';
import { createFeedAdmin, type FeedAdmin, type FeedOutcome } from './feed-admin.ts';
import { createFeedManager, type FeedManager } from './feed-manager.ts';
import type { FeedReport } from './feed-refresh.ts';
import { pollLoop } from './live-poll-loop.ts';
import type { ReviewAnswer, ThreadData, ThreadEvent, ThreadOrder } from './live-thread-messages.ts';
import type { FeedRecords, IntelRepository } from './repository.ts';
import { idOfFile } from './snapshot-container.ts';
import { createFollowSnapshots, createForgetDamaged } from './snapshot-follower.ts';

const REST_MS = 1_000;
/** Other processes may change the due feeds. */
const MAX_REST_MS = 30_000;
/** The status may change without the feeds: they grow stale, and others refresh them. */
const STATUS_MS = 30_000;
/** Others wait for the end of a round. */
const ROUND_MS = 30_000;
/** A person waits for the answer in the browser. */
const ROLLBACK_WAIT_MS = 20_000;
/** A jump of the clock that is corrected sooner makes nothing stale. */
const CLOCK_PATIENCE_MS = 3_600_000;

const clock = createSteadyClock({
  wall: Date.now,
  monotonic: () => performance.now(),
  patienceMs: CLOCK_PATIENCE_MS,
});
const stopping = new AbortController();
const onFault = (error: unknown) => {
  const { message: why, isStoreAway = false } = error as Error & { isStoreAway?: boolean };
  post({ kind: 'fault', why, isStoreAway });
};
const onReport = (report: FeedReport) => post({ kind: 'report', report });

/** @param origin feeds that this machine kept before it shared them */
export async function runThread(
  { feeds, fetching, proxies, inForce }: ThreadData,
  repository: IntelRepository,
  origin?: FeedRecords,
): Promise<void> {
  const manager = createFeedManager({
    repository,
    origin,
    baselineFile: BASELINE_FILE,
    feeds,
    proxies,
    clock,
    random: Math.random,
    onDamage: (feed, what) => post({ kind: 'fault', why: `${feed}: ${what}` }),
    async review(candidate) {
      // The service compares with the snapshot that it answers from.
      await followAll();
      return reviews.ask(candidate);
    },
    onWait: (feed, version) => onReport({ feed, outcome: 'waiting', version }),
  });
  const reviews = createReviews();
  const follow = createFollowSnapshots({
    ...repository,
    base: await idOfFile(BASELINE_FILE),
    inForce,
    handOver: (bytes) => post({ kind: 'snapshot', bytes }),
    forget: createForgetDamaged(manager.tryRound, () => turns.wake()),
  });
  const postStatus = async () => post({ kind: 'status', status: await manager.status() });
  const followAll = async () => {
    if (await follow()) await postStatus();
    return repository.pollMs;
  };
  const loop = (poll: () => Promise<number>, restAfterFault: number) =>
    pollLoop({ poll, restAfterFault, signal: stopping.signal, onFault });
  let isIdle = false;
  const postIfIdle = () => {
    if (isIdle) post({ kind: 'idle' });
  };
  const takeTurn = async () => {
    isIdle = false;
    const rest = await turn(manager, fetching, postStatus);
    // Includes snapshots that another node has published meanwhile.
    await followAll();
    isIdle = rest === MAX_REST_MS;
    postIfIdle();
    return rest;
  };
  const turns = loop(takeTurn, MAX_REST_MS);
  const followers = [loop(followAll, REST_MS), loop(() => postStatus().then(() => STATUS_MS), STATUS_MS)];
  repository.onChange(() => {
    for (const { wake } of followers) wake();
  });
  const people = { manager, feeds, onReport, onWait: () => {} };
  const { refresh } = createFeedAdmin(people);
  const { rollBack, use, keep } = createFeedAdmin({ ...people, waitMs: ROLLBACK_WAIT_MS });
  takeOrders(
    { refresh, rollBack, use, keep },
    reviews.answer,
    () => followAll().then(postStatus),
    postIfIdle,
  );
  await Promise.all([turns, ...followers].map(({ done }) => done));
  await repository.close();
  parentPort?.close();
}

function post(event: ThreadEvent): void {
  parentPort?.postMessage(event, 'bytes' in event ? [event.bytes.buffer as ArrayBuffer] : []);
}

/** One pass over the due feeds, by the node that has the lock; returns how long to wait. */
async function turn(
  manager: FeedManager,
  fetching: boolean,
  postStatus: () => Promise<void>,
): Promise<number> {
  const findDue = async () => (fetching ? (await manager.due()).feeds : []);
  if ((await findDue()).length > 0 || (await manager.isPublishDue())) {
    const outcome = await manager.tryRound(async (round): Promise<FeedOutcome> => {
      const signal = AbortSignal.any([round.lost, stopping.signal]);
      // Versions that were fetched before a restart or an upgrade are published first: only new ones are compared with them.
      await round.publish();
      const due = await findDue();
      const reports = await round.refresh(due, { signal, maxMs: ROUND_MS, onReport });
      return { reports, publication: signal.aborted ? undefined : await round.publish() };
    });
    if (outcome === undefined) return REST_MS;
    postOutcome(outcome);
    await postStatus();
  }
  if (!fetching) return MAX_REST_MS;
  const { nextAt } = await manager.due();
  return Math.min(MAX_REST_MS, Math.max(REST_MS, nextAt - clock()));
}

function postOutcome({ reports, publication }: FeedOutcome): void {
  if (reports.length > 0) post({ kind: 'round' });
  if (publication !== undefined) post({ kind: 'published', publication });
}

/** Executes the orders of people; feeds that are due are fetched without an order. */
function takeOrders(
  admin: Pick<FeedAdmin, 'refresh' | 'rollBack' | 'use' | 'keep'>,
  onReviewed: (answer: ReviewAnswer) => void,
  onDone: () => Promise<void>,
  onReported: () => void,
): void {
  function outcomeOf(order: ThreadOrder): Promise<FeedOutcome> {
    if ('refresh' in order) return admin.refresh(order.refresh);
    if ('rollBack' in order) return admin.rollBack(order.rollBack);
    return 'use' in order ? admin.use(order.use) : admin.keep(order.keep);
  }

  async function execute(order: ThreadOrder): Promise<void> {
    postOutcome(await outcomeOf(order));
    // The result is active before the order is reported as done.
    await onDone();
  }

  parentPort?.on('message', (message: 'close' | ThreadOrder | ReviewAnswer) => {
    if (message === 'close') {
      stopping.abort();
      return;
    }
    if ('review' in message) return onReviewed(message);
    const done = (why: string | null) => {
      post({ kind: 'done', order: message.order, why });
      onReported();
    };
    execute(message).then(
      () => done(null),
      (error: Error) => done(error.message),
    );
  });
}

/** Snapshots that the service compares with the active one. */
function createReviews() {
  const open = new Map<number, (flips: readonly FeedFlips[]) => void>();
  let last = 0;
  return {
    ask(candidate: Uint8Array): Promise<readonly FeedFlips[]> {
      last += 1;
      const review = last;
      return new Promise((resolve) => {
        open.set(review, resolve);
        post({ kind: 'review', review, bytes: candidate.slice() });
      });
    },
    answer({ review, flips }: ReviewAnswer): void {
      open.get(review)?.(flips);
      open.delete(review);
    },
  };
}
