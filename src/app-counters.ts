/** Decides whether this process counts for itself or together with all others. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { wasSetBack } from './counters/clock-step.ts';
import type { Counters } from './counters/counters.ts';
import { createMemoryCounters } from './counters/memory.ts';
import { createSteadyCounters } from './counters/steady-counters.ts';
import type { Metrics } from './http/metrics.ts';
import type { AttemptChunk } from './model/velocity-event.ts';
import { createSteadyClock } from './steady-clock.ts';
import type { AssessmentStore } from './store/store.ts';

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
}

const DAY_MS = 86_400_000;
/** While there is more to remove. */
const SWEEP_MS = 20;
/** What falls due meanwhile takes some sweeps. */
const SWEPT_MS = 2_000;
/** A larger correction is a step of the clock. Windows follow it after an hour, also after the machine slept. */
const STEP_MS = 250;
const FOLLOW_AFTER_MS = 3_600_000;

export async function openCounters(options: OpenCountersOptions): Promise<OpenedCounters> {
  const { redisServers, databaseUrl, store, clock, metrics, log } = options;
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
      removeAccount: async (account) => memory.removeAccount(account),
      close: async () => endSweeps(),
    };
  }
  const { createSharedCounters } = await import('./counters/redis.ts');
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

/** Without attempts stored while the clock was ahead of now: their real time is not known. */
async function* withoutFuture(
  chunks: AsyncIterable<AttemptChunk>,
  now: number,
): AsyncGenerator<AttemptChunk> {
  for await (const attempts of chunks) {
    if (!('bytes' in attempts)) {
      yield attempts.filter(({ at }) => !wasSetBack(now, at));
      continue;
    }
    let { length } = attempts;
    while (length > 0 && wasSetBack(now, attempts.at[length - 1] as number)) length -= 1;
    yield { ...attempts, length };
  }
}
