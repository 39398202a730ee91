/** Knows the servers that count: which one has an account, and the health and the clock of each. */
import { Cluster } from 'ioredis';
import { type RedisClient, refreshServers } from './connect.ts';
import type { RedisConnection } from './connection.ts';
import { createServerHealth, type ServerHealth } from './server-health.ts';

const MEASURE_CLOCKS_MS = 5_000;
const SPREAD = 1_000;

export interface CountingServersOptions {
  readonly clock: () => number;
  /** Deadline for an answer. */
  readonly deadlineMs: number;
  readonly connection: Pick<RedisConnection, 'client' | 'reconnect'>;
  readonly prefix: string;
  readonly serverTime: (account: string) => Promise<number>;
  /** Called before a server is used: sends it what it missed. */
  readonly replay: (shard: string) => Promise<void>;
  readonly onChange: (up: boolean, error: Error | undefined) => void;
  readonly onProbeFailure: (message: string) => void;
}

/** A server that counts: its health, one of its accounts, and its clock. */
export interface CountingServer {
  readonly health: ServerHealth;
  readonly account: string;
  readonly clock: ServerClock;
}

export function createCountingServers(options: CountingServersOptions) {
  const { connection, prefix, serverTime } = options;
  const servers = new Map<string, CountingServer>();
  const down = new Set<string>();

  function open(shard: string, account: string): CountingServer {
    down.add(shard);
    const clock = createServerClock({ clock: options.clock, monotonic: () => performance.now() });
    const health = createServerHealth({
      probe: () => connection.client.set(`${prefix}{${account}}probe`, 1, 'PX', 1_000),
      reconnect: () => connection.reconnect(shard),
      deadlineMs: options.deadlineMs,
      async beforeUse() {
        // If the server does not report its time, this node's time is used.
        await clock.measure(() => serverTime(account)).catch(() => {});
        await options.replay(shard);
      },
      onChange(up, error) {
        if (up) down.delete(shard);
        else down.add(shard);
        options.onChange(up, error);
      },
      onProbeFailure(message) {
        refreshServers(connection.client);
        options.onProbeFailure(message);
      },
    });
    return { health, account, clock };
  }

  function serverOf(account: string): CountingServer {
    const shard = shardOf(connection.client, account);
    let server = servers.get(shard);
    if (server === undefined) {
      server = open(shard, account);
      servers.set(shard, server);
    }
    return server;
  }

  function closeAll(): void {
    for (const { health } of servers.values()) health.close();
    servers.clear();
    down.clear();
  }

  const measuring = setInterval(() => {
    for (const { health, account, clock } of servers.values())
      if (health.isUp()) clock.measure(() => serverTime(account)).catch(() => {});
  }, MEASURE_CLOCKS_MS).unref();

  return {
    serverOf,
    isAnyDown: () => down.size > 0,
    /** Probes each server once. */
    async firstProbes(): Promise<void> {
      // So many names are spread over all servers of a cluster.
      const all = new Set(Array.from({ length: SPREAD }, (_, number) => serverOf(String(number)).health));
      await Promise.all([...all].map((health) => health.firstProbe()));
    },
    closeAll,
    close(): void {
      clearInterval(measuring);
      closeAll();
    },
  };
}

export type CountingServers = ReturnType<typeof createCountingServers>;

/** Difference between this node's clock and the clock of a server. */
export interface ServerClock {
  /** Measures the server's time. The longer the answer takes, the less exact it is. @param ask gives milliseconds since the epoch */
  measure(ask: () => Promise<number>): Promise<void>;
  /** Milliseconds that the server's clock is ahead of this node's at this moment; below 0 when it is behind. */
  aheadMs(): number;
}

export interface ServerClockOptions {
  /** This node's clock: may be set back or ahead at any time. */
  readonly clock: () => number;
  /** Milliseconds since any moment; a step of the clock does not change it. */
  readonly monotonic: () => number;
}

/** Clocks that differ by no more than this count as equal: windows are at least some seconds long. */
const EQUAL_MS = 250;

/** Clock of a server. Until the first measurement it is this node's, whose later steps have no effect. */
export function createServerClock({ clock, monotonic }: ServerClockOptions): ServerClock {
  let offset = clock() - monotonic();
  return {
    async measure(ask) {
      const requestedAt = monotonic();
      const time = await ask();
      // The server read its clock between these two moments: correct the offset only as far as they prove it wrong.
      offset = Math.min(Math.max(offset, time - monotonic()), time + 1 - requestedAt);
    },
    aheadMs() {
      const ahead = Math.round(monotonic() + offset - clock());
      return Math.abs(ahead) <= EQUAL_MS ? 0 : ahead;
    },
  };
}

const SLOTS = 16_384;
/** CRC-16/XMODEM, as the cluster specification requires. */
const POLYNOMIAL = 0x1021;

/**
 * The server that has an account, so that the failure of one server does not affect the accounts of others. `''` if there is
 * only one server, or the cluster is not known yet.
 */
export function shardOf(client: RedisClient, account: string): string {
  if (!(client instanceof Cluster)) return '';
  return client.slots[slotOf(account)]?.[0] ?? '';
}

/** The slot of all keys with this hash tag. */
function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL) & 0xffff;
  }
  return crc % SLOTS;
}
