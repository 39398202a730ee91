/** Decides whether this process counts for itself or together with all others. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../http/metrics.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { Counters } from '../velocity/counters.ts';
import { createMemoryCounters } from '../velocity/memory/memory.ts';
import type { SharedCountersOptions } from '../velocity/redis/redis.ts';
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
  extends Pick<Config, 'redisServers' | 'databaseUrl' | 'velocityMegabytes'> {
  readonly store: Pick<AssessmentStore, 'liveAttempts' | 'attemptsToCount' | 'creditsUsed'>;
  readonly clock: () => number;
  /** Keyed hash of a text, with the secret that all nodes share. */
  readonly fingerprint: (text: string) => string;
  readonly metrics: Pick<Metrics, 'countersDegraded' | 'countedAlone' | 'velocityMemory'>;
  readonly log: Logger;
  /** Deadlines of the shared counters; for tests. Default: as callers of a service expect. */
  readonly deadlines?: Pick<SharedCountersOptions, 'deadlineMs' | 'patienceMs'> | undefined;
}

const DAY_MS = 86_400_000;
/** Interval of the sweeps while there is more to remove. */
const SWEEP_MS = 20;
/** Interval of the sweeps otherwise; what falls due meanwhile takes some of them. */
const SWEPT_MS = 2_000;
/** A larger correction is a step of the clock. Windows follow it after an hour, also after the machine slept. */
const STEP_MS = 250;
const FOLLOW_AFTER_MS = 3_600_000;

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
    return {
      counters: createSteadyCounters(memory, windowClock),
      async start() {
        if (databaseUrl !== null)
          log.warn('each process counts for itself: set REDIS_URL if several processes use this database');
        await memory.restore(withoutFuture(store.attemptsToCount(clock() - DAY_MS), clock()));
      },
      async close() {
        endSweeps();
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

/** @param sweep tells whether there is more to do. @returns how to end it */
function startSweeps(sweep: () => boolean): () => void {
  let next = setTimeout(work, SWEEP_MS);
  function work(): void {
    next = setTimeout(work, sweep() ? SWEEP_MS : SWEPT_MS);
  }
  return () => clearTimeout(next);
}
