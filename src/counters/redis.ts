/** Decides that all nodes count together while their server answers, and each alone, saying so, while it does not. */
import type {
  Arrival,
  Arrived,
  Attempt,
  CountedAttempt,
  Counters,
  LocalCounters,
  RateState,
} from './counters.ts';
import type { RedisServers } from './redis/connect.ts';
import { openConnection } from './redis/connection.ts';
import { createFailureReport, type FailureReportOptions } from './redis/failure-report.ts';
import { accountOf } from './redis/keys.ts';
import { createLink, type Link } from './redis/link.ts';
import { CountedAlone, createMissed } from './redis/missed.ts';
import { createRebuild } from './redis/rebuild.ts';
import { createRedisCounters, type RedisArrived } from './redis/redis-counters.ts';
import { createServerClock, type ServerClock } from './redis/server-clock.ts';
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
  readonly liveAttempts: (since: number, account: string) => AsyncIterable<Attempt>;
  readonly creditsUsed: (account: string, month: string) => Promise<number>;
  /** How long the server's answer is waited for, and a rebuild of an account. */
  readonly deadlineMs?: number;
  readonly patienceMs?: number;
  readonly onFault: (error: Error) => void;
  /** Told of each attempt whose counts are lower bounds because the server could not be asked, or not know in time. */
  readonly onAlone?: () => void;
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
  const { memory, onFault, onAlone } = options;
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
  const missed = createMissed(redis, aheadMs);
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
      const link = createLink({
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

  function arriveAlone(arrival: Arrival, late?: Promise<RedisArrived>): Arrived {
    const local = memory.arrive(arrival);
    if (local.counted === null) return local;
    const counted = new CountedAlone(arrival.attempt, local.counted, late);
    missed.note(counted);
    if (linkTo(arrival.attempt.account).isLost()) missed.doubt(arrival.attempt.account);
    onAlone?.();
    return { rate: local.rate, credit: 'unknown', counted };
  }

  /** This node's own counters follow, for the day they are needed. */
  function follow(arrival: Arrival, arrived: Arrived, partial: boolean): Arrived {
    const { rate, credit, counted } = arrived;
    if (rate?.admitted === false) return arrived;
    const { bucket, window, attempt } = arrival;
    if (counted === null) {
      if (window !== null) memory.admit(bucket, window, attempt.at);
      return arrived;
    }
    const local = memory.arrive(arrival).counted;
    return { rate, credit, counted: new CountedTogether(counted, local, partial) };
  }

  async function healThenFollow(link: Link, arrival: Arrival, arrived: RedisArrived): Promise<Arrived> {
    const { attempt, credit } = arrival;
    const whole = await rebuild.heal(attempt.account, credit?.month);
    const asked = redis.countAnyway(arrival, arrived);
    try {
      const counted = await link.inTime(asked);
      if (!whole) onAlone?.();
      return follow(arrival, counted, !whole);
    } catch {
      return { ...arriveAlone({ ...arrival, window: null }, asked), rate: arrived.rate };
    }
  }

  const together = (account: string, ask: () => Promise<RateState>, alone: () => RateState) => {
    const link = linkTo(account);
    return link.isUp() ? link.inTime(ask()).catch(alone) : alone();
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
    arrive(arrival) {
      const link = linkTo(arrival.attempt.account);
      if (!link.isUp()) return arriveAlone(arrival);
      const asked = redis.arrive(arrival);
      return link.inTime(asked).then(
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
  readonly link: Link;
  readonly account: string;
  readonly clock: ServerClock;
}

class CountedTogether implements CountedAttempt {
  readonly counts: CountedAttempt['counts'];
  readonly #shared: CountedAttempt;
  readonly #local: CountedAttempt | null;

  constructor(shared: CountedAttempt, local: CountedAttempt | null, partial: boolean) {
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
