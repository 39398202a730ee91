/** Decides where attempts are counted: together on the shared server, or on this node alone while the server does not answer. */
import type { RedisServers } from '../../model/redis-servers.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { Counters, LocalCounters, RateState } from '../counters.ts';
import { openConnection } from './connection.ts';
import { type CountingServers, createCountingServers, shardOf } from './counting-servers.ts';
import { createFailureReport, type FailureReportOptions } from './failure-report.ts';
import { accountOf } from './key-names.ts';
import { createRebuild } from './rebuild-account.ts';
import { createRedisCounters, type RedisCounters } from './redis-counters.ts';
import { createReplayQueue } from './replay-queue.ts';
import { createSharedCounting } from './shared-counting.ts';

export interface SharedCountersOptions extends FailureReportOptions {
  readonly servers: RedisServers;
  /** Prefix of every key. */
  readonly prefix?: string;
  /** Attempts of one account in 24 h; beyond that it forgets its own oldest. */
  readonly maxAttemptsPerAccount?: number;
  /** Keyed hash of a text, with a secret that all nodes share. */
  readonly fingerprint: (text: string) => string;
  /** This node's own counters. They count everything that passes here, and answer while the server does not. */
  readonly memory: LocalCounters;
  readonly clock: () => number;
  /** Stored live attempts of an account after `since`, oldest first. */
  readonly liveAttempts: (since: number, account: string) => AsyncIterable<readonly VelocityEvent[]>;
  readonly creditsUsed: (account: string, month: string) => Promise<number>;
  /** Deadline for an answer of the server. */
  readonly deadlineMs?: number;
  /** Max. time that an attempt waits for the rebuild of its account. */
  readonly patienceMs?: number;
  readonly onFault: (error: Error) => void;
  /** Called for each attempt whose counts are only lower bounds, because the server did not answer in time or was incomplete. */
  readonly onLocalFallback?: () => void;
}

export interface SharedCounters extends Counters {
  /** Waits for the server, one second at most. The service starts without it too. */
  start(): Promise<void>;
  /** Removes every key of an account that was deleted. @throws when the server does not answer */
  removeAccount(account: string): Promise<void>;
  close(): Promise<void>;
}

const MAX_ATTEMPTS_PER_ACCOUNT = 1_048_576;
const REPLAY_MS = 1_000;
const DEADLINE_MS = 100;
const PATIENCE_MS = 150;
const START_MS = 1_000;

export function createSharedCounters(options: SharedCountersOptions): SharedCounters {
  const { memory, onFault, onLocalFallback = () => {}, fingerprint, prefix = 'gatehouse:' } = options;
  const { maxAttemptsPerAccount = MAX_ATTEMPTS_PER_ACCOUNT } = options;
  const report = createFailureReport(options);
  const events = { onFailure: noteFailure, onReplaced: replaced };
  const connection = openConnection({ servers: options.servers, ...events });
  const aheadMs = (account: string) => servers.serverOf(account).clock.aheadMs();
  const redis = createRedisCounters({ connection, prefix, maxAttemptsPerAccount, fingerprint, aheadMs });
  const replayQueue = createReplayQueue(redis, aheadMs);
  const servers = createCountingServers({
    clock: options.clock,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    connection,
    prefix,
    serverTime: redis.serverTime,
    replay: (shard) => replayQueue.replay((account) => shardOf(connection.client, account) === shard),
    onChange: changed,
    onProbeFailure: noteFailure,
  });
  const rebuild = rebuildWith(redis, aheadMs, options);
  let started = false;
  const replaying = setInterval(() => {
    report.reportFurtherReason();
    // Attempts whose answer came too late although the server is healthy.
    replayQueue.replay((account) => servers.serverOf(account).health.isUp()).catch(onFault);
  }, REPLAY_MS).unref();

  function changed(up: boolean, error: Error | undefined): void {
    if (error !== undefined) {
      onFault(error);
      noteFailure(error.message);
    }
    reportChange();
    if (up) report.clear();
  }

  function reportChange(): void {
    if (started) report.reportChange(servers.isAnyDown());
  }

  function noteFailure(message: string): void {
    report.note(message);
    if (message.startsWith('MOVED ')) connection.becomeCluster();
  }

  /** The connection leads to other servers now. */
  function replaced(): void {
    servers.closeAll();
    report.clear();
    if (started) servers.serverOf('');
  }

  return {
    ...createRateChecks(redis, memory, servers),
    removeAccount: redis.removeAccount,
    checkAndCount: createSharedCounting({ redis, memory, replayQueue, rebuild, servers, onLocalFallback }),
    async start() {
      await connection.ready(START_MS);
      await servers.firstProbes();
      started = true;
      reportChange();
    },
    async close() {
      clearInterval(replaying);
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

/** Asks the server, or this node's own counters while the server is down. */
function createRateChecks(
  redis: RedisCounters,
  memory: LocalCounters,
  servers: CountingServers,
): Pick<Counters, 'admit' | 'peek'> {
  const sharedOrLocal = async (
    bucket: string,
    ask: () => Promise<RateState>,
    countLocally: () => RateState,
  ) => {
    const { health } = servers.serverOf(accountOf(bucket));
    return health.isUp() ? health.withDeadline(ask()).catch(countLocally) : countLocally();
  };
  return {
    admit(bucket, window, now) {
      const ask = async () => {
        const state = await redis.admit(bucket, window, now);
        if (state.admitted) memory.admit(bucket, window, now);
        return state;
      };
      return sharedOrLocal(bucket, ask, () => memory.admit(bucket, window, now));
    },
    peek: (bucket, window, now) =>
      sharedOrLocal(
        bucket,
        async () => redis.peek(bucket, window, now),
        () => memory.peek(bucket, window, now),
      ),
  };
}
