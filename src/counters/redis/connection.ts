/** Decides which client is asked: one server that says it is a node of a cluster is spoken to as a cluster from then on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, Redis } from 'ioredis';
import { connect, connectCluster, type RedisClient, type RedisServers, reconnect } from './connect.ts';

export interface RedisConnectionOptions {
  readonly servers: RedisServers;
  /** Called at every failure of the connection itself; a question that fails only says that there is none. */
  readonly onFailure: (message: string) => void;
  /** The client is another one now. */
  readonly onReplaced: () => void;
}

export interface RedisConnection {
  /** Ask for it each time: it may be replaced. */
  readonly client: RedisClient;
  /** Resolves once the server can be asked as what it is, or after so many milliseconds. */
  ready(milliseconds: number): Promise<void>;
  /** The server has shown that it is a node of a cluster. */
  becomeCluster(): void;
  /** Gives up a connection that seems dead. `node`: `host:port` of a cluster's; else whatever there is. */
  reconnect(node: string): void;
  close(): void;
}

export const CLOSED_UNANSWERED = 'the connection was closed before anything was answered';
export const SILENT = 'the connection is open, and nothing is answered';
export const NO_CONNECTION = 'no connection in time';
export const NO_TLS = 'no TLS connection in time';

export function openConnection({ servers, onFailure, onReplaced }: RedisConnectionOptions): RedisConnection {
  const { tls } = servers;
  let closed = false;
  let failing = false;
  let settle: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
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
    // A Sentinel that was left while it was asked ends the client for good.
    opened.on('end', () => {
      if (!closed && opened === client) opened.connect().catch(() => {});
    });
    return opened;
  }

  /** What never ends says nothing by itself. */
  function failWhereStuck(): void {
    const reason = stuckReason(client, tls);
    if (!failing && reason !== undefined) onFailure(reason);
  }

  async function learnKind(opened: RedisClient): Promise<void> {
    if (opened instanceof Redis && servers.kind === 'server' && (await isClusterNode(opened)))
      becomeCluster();
    else settle();
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
  let fate: 'unanswered' | 'failed' | 'ready' = 'failed';
  const refusals = new Set<string>();
  opened.on('connect', () => {
    fate = 'unanswered';
  });
  opened.on('ready', () => {
    fate = 'ready';
  });
  opened.on('sentinelError', (error: Error) => refusals.add(messageOf(error)));
  opened.on('error', (error: Error) => {
    const reset = fate === 'unanswered' && /ECONNRESET|EPIPE/.test(error.message);
    const message = reset ? CLOSED_UNANSWERED : messageOf(error);
    fate = 'failed';
    if (refusals.size > 0 && message.startsWith('All sentinels')) fail([...refusals].join('; '));
    else fail(tls && message.includes('ETIMEDOUT') ? NO_TLS : message);
    refusals.clear();
  });
  opened.on('close', () => {
    if (fate === 'unanswered' && !isOver()) fail(CLOSED_UNANSWERED);
  });
}

/** A server behind a socket is reached alone. */
function mayBeCluster({ kind, endpoints }: RedisServers): boolean {
  return kind === 'server' && !('path' in (endpoints[0] ?? {}));
}

function stuckReason(client: RedisClient, tls: RedisServers['tls']): string | undefined {
  // The library calls it connected until the first answer.
  if (client.status === 'connect') return SILENT;
  if (client.status !== 'connecting' || !(client instanceof Redis)) return undefined;
  return tls ? NO_TLS : NO_CONNECTION;
}

/** Where it may not be asked, the first MOVED tells. */
async function isClusterNode(server: Redis): Promise<boolean> {
  const info = await server.info('server').catch(() => '');
  return /^(?:redis|server)_mode:cluster\r?$/m.test(info);
}

/** A name with several addresses fails once for each, and the whole has no message of its own. */
function messageOf(error: Error): string {
  if (error.message !== '') return error.message.trim();
  const parts = error instanceof AggregateError ? error.errors.map(({ message }: Error) => message) : [];
  return parts.join('; ') || ((error as NodeJS.ErrnoException).code ?? error.name);
}
