/** Decides that all nodes count together while their server answers, and each alone, saying so, while it does not. */
import type { VelocityEvent } from '../model/velocity-event.ts';
import type {
  Counters,
  CountRequest,
  CountResult,
  LocalCounters,
  RateState,
  Reservation,
} from './counters.ts';
import type { RedisServers } from './redis/connect.ts';
import { openConnection } from './redis/connection.ts';
import { createFailureReport, type FailureReportOptions } from './redis/failure-report.ts';
import { accountOf } from './redis/keys.ts';
import { createRebuild } from './redis/rebuild.ts';
import { createRedisCounters, type RedisCountResult } from './redis/redis-counters.ts';
import { createReplayQueue, LocalReservation } from './redis/replay-queue.ts';
import { createServerClock, type ServerClock } from './redis/server-clock.ts';
import { createServerHealth, type ServerHealth } from './redis/server-health.ts';
import { shardOf } from './redis/shard.ts';

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
const MEASURE_CLOCKS_MS = 5_000;
const SPREAD = 1_000;
const DEADLINE_MS = 100;
const PATIENCE_MS = 150;
const START_MS = 1_000;

export function createSharedCounters(options: SharedCountersOptions): SharedCounters {
  const { memory, onFault, onLocalFallback } = options;
  const prefix = options.prefix ?? 'gatehouse:';
  const report = createFailureReport(options);
  const connection = openConnection({
    servers: options.servers,
    onFailure: noteFailure,
    onReplaced: linkAgain,
  });
  const maxAttemptsPerAccount = options.maxAttemptsPerAccount ?? MAX_ATTEMPTS_PER_ACCOUNT;
  const aheadMs = (account: string) => serverOf(account).clock.aheadMs();
  const { fingerprint } = options;
  const redis = createRedisCounters({ connection, prefix, maxAttemptsPerAccount, fingerprint, aheadMs });
  const missed = createReplayQueue(redis, aheadMs);
  const rebuild = createRebuild({
    ...options,
    counters: redis,
    clock: (account) => options.clock() + aheadMs(account),
    patienceMs: options.patienceMs ?? PATIENCE_MS,
  });
  const servers = new Map<string, Server>();
  const broken = new Set<string>();
  let started = false;
  const telling = setInterval(() => {
    report.tellFurther();
    tellMissed();
  }, TELL_MISSED_MS).unref();
  const measuring = setInterval(() => {
    for (const { link, account, clock } of servers.values())
      if (link.isUp()) clock.measure(() => redis.serverTime(account)).catch(() => {});
  }, MEASURE_CLOCKS_MS).unref();

  /** The way to the server that holds an account. */
  const linkTo = (account: string) => serverOf(account).link;

  /** The server that holds an account, which is one to probe it with. */
  function serverOf(account: string): Server {
    const shard = shardOf(connection.client, account);
    let server = servers.get(shard);
    if (server === undefined) {
      broken.add(shard);
      const clock = createServerClock({ clock: options.clock, monotonic: () => performance.now() });
      const link = createServerHealth({
        probe: () => connection.client.set(`${prefix}{${account}}probe`, 1, 'PX', 1_000),
        reconnect: () => connection.reconnect(shard),
        deadlineMs: options.deadlineMs ?? DEADLINE_MS,
        async beforeUse() {
          // A server that does not tell its time is believed to have this node's.
          await clock.measure(() => redis.serverTime(account)).catch(() => {});
          await missed.tell((one) => shardOf(connection.client, one) === shard);
        },
        onChange: (up, error) => changed(shard, up, error),
        onProbeFailure: noteFailure,
      });
      server = { link, account, clock };
      servers.set(shard, server);
    }
    return server;
  }

  function changed(shard: string, up: boolean, error: Error | undefined): void {
    if (up) broken.delete(shard);
    else broken.add(shard);
    if (error !== undefined) {
      onFault(error);
      noteFailure(error.message);
    }
    tell();
    if (up) report.clear();
  }

  function tell(): void {
    if (started) report.tell(broken.size > 0);
  }

  function noteFailure(message: string): void {
    report.note(message);
    if (message.startsWith('MOVED ')) connection.becomeCluster();
  }

  /** The servers behind the links are others now. */
  function linkAgain(): void {
    for (const { link } of servers.values()) link.close();
    servers.clear();
    broken.clear();
    report.clear();
    if (started) linkTo('');
  }

  /** Of answers that came too late while the server was well otherwise. */
  function tellMissed(): void {
    missed.tell((account) => linkTo(account).isUp()).catch(onFault);
  }

  function arriveAlone(arrival: CountRequest, late?: Promise<RedisCountResult>): CountResult {
    const local = memory.checkAndCount(arrival);
    if (local.counted === null) return local;
    const counted = new LocalReservation(arrival.event, local.counted, late);
    missed.note(counted);
    if (linkTo(arrival.event.account).isStateLost()) missed.doubt(arrival.event.account);
    onLocalFallback?.();
    return { rate: local.rate, credit: 'unknown', counted };
  }

  /** This node's own counters follow, for the day they are needed. */
  function follow(arrival: CountRequest, arrived: CountResult, partial: boolean): CountResult {
    const { rate, credit, counted } = arrived;
    if (rate?.admitted === false) return arrived;
    const { bucket, window, event } = arrival;
    if (counted === null) {
      if (window !== null) memory.admit(bucket, window, event.at);
      return arrived;
    }
    const local = memory.checkAndCount(arrival).counted;
    return { rate, credit, counted: new CountedTogether(counted, local, partial) };
  }

  async function healThenFollow(
    link: ServerHealth,
    arrival: CountRequest,
    arrived: RedisCountResult,
  ): Promise<CountResult> {
    const { event, credit } = arrival;
    const whole = await rebuild.heal(event.account, credit?.month);
    const asked = redis.countAnyway(arrival, arrived);
    try {
      const counted = await link.withDeadline(asked);
      if (!whole) onLocalFallback?.();
      return follow(arrival, counted, !whole);
    } catch {
      return { ...arriveAlone({ ...arrival, window: null }, asked), rate: arrived.rate };
    }
  }

  const together = (account: string, ask: () => Promise<RateState>, alone: () => RateState) => {
    const link = linkTo(account);
    return link.isUp() ? link.withDeadline(ask()).catch(alone) : alone();
  };

  return {
    admit(bucket, window, now) {
      const ask = async () => {
        const state = await redis.admit(bucket, window, now);
        if (state.admitted) memory.admit(bucket, window, now);
        return state;
      };
      return together(accountOf(bucket), ask, () => memory.admit(bucket, window, now));
    },
    peek(bucket, window, now) {
      const ask = () => redis.peek(bucket, window, now);
      return together(accountOf(bucket), ask, () => memory.peek(bucket, window, now));
    },
    checkAndCount(arrival) {
      const link = linkTo(arrival.event.account);
      if (!link.isUp()) return arriveAlone(arrival);
      const asked = redis.checkAndCount(arrival);
      return link.withDeadline(asked).then(
        (arrived) =>
          arrived.incomplete ? healThenFollow(link, arrival, arrived) : follow(arrival, arrived, false),
        () => arriveAlone(arrival, asked),
      );
    },
    restore: redis.restore,
    async start() {
      await connection.ready(START_MS);
      // These fall on all servers of a cluster.
      const all = new Set(Array.from({ length: SPREAD }, (_, number) => linkTo(String(number))));
      await Promise.all([...all].map((link) => link.first()));
      started = true;
      tell();
    },
    async close() {
      clearInterval(telling);
      clearInterval(measuring);
      for (const { link } of servers.values()) link.close();
      connection.close();
    },
  };
}

/** One server of those that count: how to reach it, an account it holds, and its clock. */
interface Server {
  readonly link: ServerHealth;
  readonly account: string;
  readonly clock: ServerClock;
}

class CountedTogether implements Reservation {
  readonly counts: Reservation['counts'];
  readonly #shared: Reservation;
  readonly #local: Reservation | null;

  constructor(shared: Reservation, local: Reservation | null, partial: boolean) {
    this.counts = partial ? { ...shared.counts, partial } : shared.counts;
    this.#shared = shared;
    this.#local = local;
  }

  /** What the server cannot be told any more leaves it within a day. */
  async undo(): Promise<void> {
    await this.#local?.undo();
    await Promise.resolve(this.#shared.undo()).catch(() => {});
  }
}
