/** Knows the servers that count: the health and the clock of each, from its first account on. */
import type { RedisConnection } from './connection.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';
import { createServerHealth, type ServerHealth } from './server-health.ts';
import { shardOf } from './shard.ts';

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
    const link = createServerHealth({
      probe: () => connection.client.set(`${prefix}{${account}}probe`, 1, 'PX', 1_000),
      reconnect: () => connection.reconnect(shard),
      deadlineMs: options.deadlineMs,
      async beforeUse() {
        // If the server does not tell its time, this node's time is used.
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
    return { health: link, account, clock };
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
    for (const { health } of servers.values()) health.close();
    servers.clear();
    down.clear();
  }

  const measuring = setInterval(() => {
    for (const { health, account, clock } of servers.values())
      if (health.isUp()) clock.measure(() => serverTime(account)).catch(() => {});
  }, MEASURE_CLOCKS_MS).unref();

  return {
    of,
    isAnyDown: () => down.size > 0,
    /** Probes each server once. */
    async firstProbes(): Promise<void> {
      // So many names are spread over all servers of a cluster.
      const links = new Set(Array.from({ length: SPREAD }, (_, number) => of(String(number)).health));
      await Promise.all([...links].map((link) => link.firstProbe()));
    },
    clear,
    close(): void {
      clearInterval(measuring);
      clear();
    },
  };
}

export type CountingServers = ReturnType<typeof createCountingServers>;
