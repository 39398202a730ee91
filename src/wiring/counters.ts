/** Decides whether this process counts for itself or together with all others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { Counters } from '../velocity/counters.ts';
import { createMemoryCounters, type MemoryCounters } from '../velocity/memory/memory.ts';
import type { SharedCountersOptions } from '../velocity/redis/redis.ts';
import { takeImage, writeImage } from '../velocity/start/velocity-image.ts';
import type { VelocityRecount } from '../velocity/start/velocity-recount.ts';
import { createSteadyCounters } from '../velocity/steady-counters.ts';
import { withoutFuture } from '../velocity/without-future.ts';

export interface OpenedCounters {
  readonly counters: Counters;
  /** Reads the counts that must survive a restart, or connects to the server that has them. */
  start(): Promise<void>;
  /** Forgets the attempts of an account that was deleted. @throws when the server that has them does not answer */
  removeAccount(account: string): Promise<void>;
  close(): Promise<void>;
}

export interface OpenCountersOptions
  extends Pick<Config, 'redisServers' | 'databaseUrl' | 'velocityMegabytes' | 'dataDir'> {
  readonly store: Pick<AssessmentStore, 'liveAttempts' | 'attemptsToCount' | 'attemptsMark' | 'creditsUsed'>;
  readonly clock: () => number;
  /** Keyed hash of a text, with the secret that all nodes share. */
  readonly fingerprint: (text: string) => string;
  readonly metrics: Pick<Metrics, 'countersDegraded' | 'countedAlone' | 'velocityMemory'>;
  readonly log: Logger;
  /** Counts the stored attempts meanwhile. Default: they are counted at the start. */
  readonly recount?: VelocityRecount | undefined;
  /** Deadlines of the shared counters; for tests. Default: as callers of a service expect. */
  readonly deadlines?: Pick<SharedCountersOptions, 'deadlineMs' | 'patienceMs'> | undefined;
  /** Min. attempts that are worth a file between two runs; the usual by default. */
  readonly minImageAttempts?: number;
}

const DAY_MS = 86_400_000;
/** Interval of the sweeps while there is more to remove. */
const SWEEP_MS = 20;
/** Interval of the sweeps otherwise; what falls due meanwhile takes some of them. */
const SWEPT_MS = 2_000;
/** A larger correction is a step of the clock. Windows follow it after an hour, also after the machine slept. */
const STEP_MS = 250;
const FOLLOW_AFTER_MS = 3_600_000;
/** Fewer are counted again within some 30 ms. */
const MIN_IMAGE_ATTEMPTS = 20_000;

export async function openCounters(options: OpenCountersOptions): Promise<OpenedCounters> {
  const { redisServers, databaseUrl, clock, metrics, log, store } = options;
  const memory = createMemoryCounters({ maxVelocityBytes: options.velocityMegabytes * 1024 * 1024 });
  metrics.velocityMemory(memory.size);
  const windowClock = createSteadyClock({
    wall: clock,
    monotonic: () => performance.now(),
    jumpMs: STEP_MS,
    patienceMs: FOLLOW_AFTER_MS,
  });
  const endSweeps = startSweeps(() => memory.sweep(windowClock()));
  if (redisServers === null) {
    const counts = keepCounts(options, memory, windowClock);
    return {
      counters: createSteadyCounters(memory, windowClock),
      async start() {
        if (databaseUrl !== null)
          log.warn('each process counts for itself: set REDIS_URL if several processes use this database');
        await counts.restore();
      },
      async close() {
        endSweeps();
        await options.recount?.end();
        counts.save();
      },
      removeAccount: async (account) => memory.removeAccount(account),
    };
  }
  const { createSharedCounters } = await import('../velocity/redis/redis.ts');
  const shared = createSharedCounters({
    servers: redisServers,
    fingerprint: options.fingerprint,
    memory,
    clock: windowClock,
    liveAttempts: store.liveAttempts,
    creditsUsed: store.creditsUsed,
    onFault: (error) => log.error({ err: error }, 'the shared counters failed'),
    onDegraded(degraded, why, advice) {
      metrics.countersDegraded(degraded);
      if (degraded) log.warn({ why }, `this node counts alone until the shared counters answer: ${advice}`);
      else log.info('this node counts together with the others again');
    },
    onFurtherReason: (why, advice) => log.warn({ why }, `this node still counts alone: ${advice}`),
    onLocalFallback: metrics.countedAlone,
    ...options.deadlines,
  });
  return {
    counters: createSteadyCounters(shared, windowClock),
    start: shared.start,
    removeAccount(account) {
      memory.removeAccount(account);
      return shared.removeAccount(account);
    },
    async close() {
      endSweeps();
      await shared.close();
    },
  };
}

/** Restores the counts of the last run: from its image, else from the stored attempts. */
function keepCounts(
  { store, clock, dataDir, recount, log, minImageAttempts = MIN_IMAGE_ATTEMPTS }: OpenCountersOptions,
  memory: MemoryCounters,
  windowClock: () => number,
) {
  let isRestored = false;

  function takeLast(): boolean {
    const attempts = store.attemptsMark();
    const image = attempts === undefined ? undefined : takeImage(dataDir, { attempts, at: clock() });
    return image !== undefined && memory.loadVelocity(image);
  }

  /** Takes the recount, if nothing was stored or erased since the thread looked. */
  async function takeRecounted(): Promise<boolean> {
    try {
      const counted = await recount?.result();
      if (counted === undefined || counted.attempts !== store.attemptsMark()) return false;
      return memory.loadVelocity(counted.image, counted.forgotten);
    } catch (error) {
      log.warn(
        { err: error },
        'the signups of the last 24 hours are counted again: a thread could not do it',
      );
      return false;
    }
  }

  return {
    async restore(): Promise<void> {
      if (takeLast()) {
        // What fell due since then: else the first request would do all of it. The first sweep may end an earlier round.
        memory.sweep(windowClock());
        while (memory.sweep(windowClock())) await nextTurn();
      } else if (!(await takeRecounted()))
        await memory.restore(withoutFuture(store.attemptsToCount(clock() - DAY_MS), clock()));
      isRestored = true;
    },
    /** Call when everything is answered. Without an image, the next start counts the stored attempts. */
    save(): void {
      const hasStepped = Math.abs(windowClock() - clock()) > STEP_MS;
      if (!isRestored || hasStepped || memory.size().attempts < minImageAttempts) return;
      try {
        const [attempts, image] = [store.attemptsMark(), memory.saveVelocity()];
        if (attempts !== undefined && image !== undefined)
          writeImage(dataDir, image, { attempts, at: clock() });
      } catch {
        // A full disk, or a database that cannot be read any more: neither keeps a service from ending.
      }
    },
  };
}

/** @param sweep tells whether there is more to do. @returns how to end it */
function startSweeps(sweep: () => boolean): () => void {
  let next = setTimeout(work, SWEEP_MS);
  function work(): void {
    next = setTimeout(work, sweep() ? SWEEP_MS : SWEPT_MS);
  }
  return () => clearTimeout(next);
}
