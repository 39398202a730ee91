/** Decides which client is used: a server that turns out to be a node of a cluster gets a cluster client from then on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, Redis } from 'ioredis';
import type { RedisServers } from '../../model/redis-servers.ts';
import { connect, connectCluster, type RedisClient, reconnect } from './connect.ts';

export interface RedisConnectionOptions {
  readonly servers: RedisServers;
  /** Called at every failure of the connection itself. Failed commands only report that there is no connection. */
  readonly onFailure: (message: string) => void;
  /** Called when the client was replaced. */
  readonly onReplaced: () => void;
}

export interface RedisConnection {
  /** Read it each time: it may be replaced. */
  readonly client: RedisClient;
  /** Resolves when the kind of the server is known, or after this time. */
  ready(milliseconds: number): Promise<void>;
  /** Call when the server turns out to be a node of a cluster. */
  becomeCluster(): void;
  /** Closes a connection that seems dead and opens a new one. @param node `host:port` of a cluster's node; ignored otherwise */
  reconnect(node: string): void;
  close(): void;
}

export const CLOSED_UNANSWERED = 'the connection was closed before the server answered';
export const SILENT = 'the connection is open, but the server does not answer';
export const NO_CONNECTION = 'no connection in time';
export const NO_TLS = 'no TLS connection in time';

export function openConnection({ servers, onFailure, onReplaced }: RedisConnectionOptions): RedisConnection {
  const { tls } = servers;
  let [closed, failing] = [false, false];
  let resolveSettled: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    resolveSettled = resolve;
  });
  let client = watch(connect(servers));

  function watch(opened: RedisClient): RedisClient {
    const fail = (message: string) => {
      if (opened !== client) return;
      failing = true;
      onFailure(message);
    };
    if (opened instanceof Redis) watchServer(opened, tls, () => closed, fail);
    else watchCluster(opened, fail);
    opened.on('ready', () => {
      failing = false;
      void learnKind(opened);
    });
    // If a Sentinel is disconnected while it answers, the client ends for good: start it again.
    opened.on('end', () => {
      if (!closed && opened === client) opened.connect().catch(() => {});
    });
    return opened;
  }

  /** A connection attempt that hangs reports no error by itself. */
  function failWhereStuck(): void {
    const reason = stuckReason(client, tls);
    if (!failing && reason !== undefined) onFailure(reason);
  }

  async function learnKind(opened: RedisClient): Promise<void> {
    if (opened instanceof Redis && servers.kind === 'server' && (await isClusterNode(opened)))
      becomeCluster();
    else resolveSettled();
  }

  function becomeCluster(): void {
    if (closed || !(client instanceof Redis) || !mayBeCluster(servers)) return;
    client.disconnect();
    client = watch(connectCluster(servers));
    onReplaced();
  }

  return {
    get client() {
      return client;
    },
    async ready(milliseconds) {
      const ended = new AbortController();
      const late = sleep(milliseconds, undefined, { signal: ended.signal }).catch(() => {});
      await Promise.race([settled, late]);
      ended.abort();
      failWhereStuck();
    },
    becomeCluster,
    reconnect(node) {
      failWhereStuck();
      reconnect(client, node);
    },
    close() {
      closed = true;
      resolveSettled();
      client.disconnect();
    },
  };
}

function watchCluster(opened: Cluster, fail: (message: string) => void): void {
  opened.on('error', (error: Error & { lastNodeError?: Error }) =>
    fail(messageOf(error.lastNodeError ?? error)),
  );
  opened.on('node error', (error: Error, node: string) => fail(`${node}: ${messageOf(error)}`));
}

/** @param isOver whether a connection that ends was closed here */
function watchServer(
  opened: Redis,
  tls: RedisServers['tls'],
  isOver: () => boolean,
  fail: (message: string) => void,
): void {
  let outcome: 'unanswered' | 'failed' | 'ready' = 'failed';
  const refusals = new Set<string>();
  opened.on('connect', () => {
    outcome = 'unanswered';
  });
  opened.on('ready', () => {
    outcome = 'ready';
  });
  opened.on('sentinelError', (error: Error) => refusals.add(messageOf(error)));
  opened.on('error', (error: Error) => {
    const reset = outcome === 'unanswered' && /ECONNRESET|EPIPE/.test(error.message);
    const message = reset ? CLOSED_UNANSWERED : messageOf(error);
    outcome = 'failed';
    if (refusals.size > 0 && message.startsWith('All sentinels')) fail([...refusals].join('; '));
    else fail(tls && message.includes('ETIMEDOUT') ? NO_TLS : message);
    refusals.clear();
  });
  opened.on('close', () => {
    if (outcome === 'unanswered' && !isOver()) fail(CLOSED_UNANSWERED);
  });
}

/** Whether it may be a cluster; behind a Unix socket it is none: other nodes cannot be reached. */
function mayBeCluster({ kind, endpoints }: RedisServers): boolean {
  return kind === 'server' && !('path' in (endpoints[0] ?? {}));
}

function stuckReason(client: RedisClient, tls: RedisServers['tls']): string | undefined {
  // The library's status between the connection and the first answer.
  if (client.status === 'connect') return SILENT;
  if (client.status !== 'connecting' || !(client instanceof Redis)) return undefined;
  return tls ? NO_TLS : NO_CONNECTION;
}

/** Whether the server is a node of a cluster; if INFO is not allowed, the first MOVED error shows it. */
async function isClusterNode(server: Redis): Promise<boolean> {
  const info = await server.info('server').catch(() => '');
  return /^(?:redis|server)_mode:cluster\r?$/m.test(info);
}

/** A host name with several addresses fails with one error each; the combined error has no message. */
function messageOf(error: Error): string {
  if (error.message !== '') return error.message.trim();
  const parts = error instanceof AggregateError ? error.errors.map(({ message }: Error) => message) : [];
  return parts.join('; ') || ((error as NodeJS.ErrnoException).code ?? error.name);
}
