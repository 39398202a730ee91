/** Decides that all nodes count together while their server answers, and each alone, saying so, while it does not. */
import type { VelocityEvent } from '../model/velocity-event.ts';
import type { Counters, LocalCounters, RateState } from './counters.ts';
import type { RedisServers } from './redis/connect.ts';
import { openConnection } from './redis/connection.ts';
import { type CountingServers, createCountingServers } from './redis/counting-servers.ts';
import { createFailureReport, type FailureReportOptions } from './redis/failure-report.ts';
import { accountOf } from './redis/keys.ts';
import { createRebuild } from './redis/rebuild.ts';
import { createRedisCounters, type RedisCounters } from './redis/redis-counters.ts';
import { createReplayQueue } from './redis/replay-queue.ts';
import { shardOf } from './redis/shard.ts';
import { createSharedCounting } from './redis/shared-counting.ts';

export interface SharedCountersOptions extends FailureReportOptions {
  readonly servers: RedisServers;
  /** Before every key. */
  readonly prefix?: string;
  /** Attempts one account may hold in 24 h before it forgets its own oldest. */
  readonly maxAttemptsPerAccount?: number;
  /** Keyed hash of a text, with a secret that all nodes share. */
  readonly fingerprint: (text: string) => string;
  /** This node's own counters. They follow what passes here, and answer while the server does not. */
  readonly memory: LocalCounters;
  readonly clock: () => number;
  /** Stored live attempts of an account after `since`, oldest first. */
  readonly liveAttempts: (since: number, account: string) => AsyncIterable<VelocityEvent>;
  readonly creditsUsed: (account: string, month: string) => Promise<number>;
  /** How long the server's answer is waited for, and a rebuild of an account. */
  readonly deadlineMs?: number;
  readonly patienceMs?: number;
  readonly onFault: (error: Error) => void;
  /** Told of each attempt whose counts are lower bounds because the server could not be asked, or not know in time. */
  readonly onLocalFallback?: () => void;
}

export interface SharedCounters extends Counters {
  /** Waits for the server, a second at most: without it the service starts all the same. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const MAX_ATTEMPTS_PER_ACCOUNT = 1_048_576;
const TELL_MISSED_MS = 1_000;
const DEADLINE_MS = 100;
const PATIENCE_MS = 150;
const START_MS = 1_000;

export function createSharedCounters(options: SharedCountersOptions): SharedCounters {
  const { memory, onFault, onLocalFallback = () => {}, fingerprint, prefix = 'gatehouse:' } = options;
  const { maxAttemptsPerAccount = MAX_ATTEMPTS_PER_ACCOUNT } = options;
  const report = createFailureReport(options);
  const events = { onFailure: noteFailure, onReplaced: replaced };
  const connection = openConnection({ servers: options.servers, ...events });
  const aheadMs = (account: string) => servers.of(account).clock.aheadMs();
  const redis = createRedisCounters({ connection, prefix, maxAttemptsPerAccount, fingerprint, aheadMs });
  const missed = createReplayQueue(redis, aheadMs);
  const servers = createCountingServers({
    clock: options.clock,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    connection,
    prefix,
    serverTime: redis.serverTime,
    replay: (shard) => missed.tell((account) => shardOf(connection.client, account) === shard),
    onChange: changed,
    onProbeFailure: noteFailure,
  });
  const rebuild = rebuildWith(redis, aheadMs, options);
  let started = false;
  const telling = setInterval(() => {
    report.tellFurther();
    // Of answers that came too late while the server was well otherwise.
    missed.tell((account) => servers.of(account).link.isUp()).catch(onFault);
  }, TELL_MISSED_MS).unref();

  function changed(up: boolean, error: Error | undefined): void {
    if (error !== undefined) {
      onFault(error);
      noteFailure(error.message);
    }
    tell();
    if (up) report.clear();
  }

  function tell(): void {
    if (started) report.tell(servers.isAnyDown());
  }

  function noteFailure(message: string): void {
    report.note(message);
    if (message.startsWith('MOVED ')) connection.becomeCluster();
  }

  /** The servers behind the connection are others now. */
  function replaced(): void {
    servers.clear();
    report.clear();
    if (started) servers.of('');
  }

  return {
    ...createRateQuestions(redis, memory, servers),
    checkAndCount: createSharedCounting({ redis, memory, missed, rebuild, servers, onLocalFallback }),
    restore: redis.restore,
    async start() {
      await connection.ready(START_MS);
      await servers.firstProbes();
      started = true;
      tell();
    },
    async close() {
      clearInterval(telling);
      servers.close();
      connection.close();
    },
  };
}

function rebuildWith(
  counters: RedisCounters,
  aheadMs: (account: string) => number,
  { clock, patienceMs = PATIENCE_MS, ...options }: SharedCountersOptions,
) {
  return createRebuild({
    ...options,
    counters,
    clock: (account) => clock() + aheadMs(account),
    patienceMs,
  });
}

/** Asked of the server, or of this node alone. */
function createRateQuestions(
  redis: RedisCounters,
  memory: LocalCounters,
  servers: CountingServers,
): Pick<Counters, 'admit' | 'peek'> {
  const together = async (bucket: string, ask: () => Promise<RateState>, alone: () => RateState) => {
    const { link } = servers.of(accountOf(bucket));
    return link.isUp() ? link.withDeadline(ask()).catch(alone) : alone();
  };
  return {
    admit(bucket, window, now) {
      const ask = async () => {
        const state = await redis.admit(bucket, window, now);
        if (state.admitted) memory.admit(bucket, window, now);
        return state;
      };
      return together(bucket, ask, () => memory.admit(bucket, window, now));
    },
    peek: (bucket, window, now) =>
      together(
        bucket,
        () => redis.peek(bucket, window, now),
        () => memory.peek(bucket, window, now),
      ),
  };
}
