/** Knows the servers that accounts are counted at: the health and the clock of each, from the first account on that it has. */
import type { RedisConnection } from './connection.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';
import { createServerHealth, type ServerHealth } from './server-health.ts';
import { shardOf } from './shard.ts';

const MEASURE_CLOCKS_MS = 5_000;
const SPREAD = 1_000;

export interface CountingServersOptions {
  readonly clock: () => number;
  /** How long an answer is waited for. */
  readonly deadlineMs: number;
  readonly connection: Pick<RedisConnection, 'client' | 'reconnect'>;
  readonly prefix: string;
  readonly serverTime: (account: string) => Promise<number>;
  /** Before a server is used: tells it what it missed. */
  readonly replay: (shard: string) => Promise<void>;
  readonly onChange: (up: boolean, error: Error | undefined) => void;
  readonly onProbeFailure: (message: string) => void;
}

/** One server of those that count: its health, an account that it has, and its clock. */
export interface CountingServer {
  readonly link: ServerHealth;
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
    const link = createServerHealth({
      probe: () => connection.client.set(`${prefix}{${account}}probe`, 1, 'PX', 1_000),
      reconnect: () => connection.reconnect(shard),
      deadlineMs: options.deadlineMs,
      async beforeUse() {
        // A server that does not tell its time is believed to have this node's.
        await clock.measure(() => serverTime(account)).catch(() => {});
        await options.replay(shard);
      },
      onChange(up, error) {
        if (up) down.delete(shard);
        else down.add(shard);
        options.onChange(up, error);
      },
      onProbeFailure: options.onProbeFailure,
    });
    return { link, account, clock };
  }

  function of(account: string): CountingServer {
    const shard = shardOf(connection.client, account);
    let server = servers.get(shard);
    if (server === undefined) {
      server = open(shard, account);
      servers.set(shard, server);
    }
    return server;
  }

  function clear(): void {
    for (const { link } of servers.values()) link.close();
    servers.clear();
    down.clear();
  }

  const measuring = setInterval(() => {
    for (const { link, account, clock } of servers.values())
      if (link.isUp()) clock.measure(() => serverTime(account)).catch(() => {});
  }, MEASURE_CLOCKS_MS).unref();

  return {
    of,
    isAnyDown: () => down.size > 0,
    /** Probes each server once. */
    async firstProbes(): Promise<void> {
      // These fall on all servers of a cluster.
      const links = new Set(Array.from({ length: SPREAD }, (_, number) => of(String(number)).link));
      await Promise.all([...links].map((link) => link.first()));
    },
    clear,
    close(): void {
      clearInterval(measuring);
      clear();
    },
  };
}

export type CountingServers = ReturnType<typeof createCountingServers>;
