/** Decides how the server is reached: which URLs mean one server or a cluster, and how little is waited for. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { SCRIPTS } from './scripts.ts';

export type RedisClient = Redis | Cluster;
type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

const CONNECT_MS = 1_000;
const RECONNECT_MS = 200;

/**
 * `urls`: `redis://` or `rediss://`; several are nodes of one cluster. Connects in the background,
 * again and again; a command while there is no connection fails at once, and none is ever sent twice.
 */
export function connect(urls: readonly string[]): RedisClient {
  const options: ConnectionOptions = {
    connectionName: 'gatehouse',
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // A server that became a replica is left; the name leads to its successor.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    scripts: SCRIPTS,
  };
  if (urls.length === 1) return connectOne(urls[0] as string, options);
  return new Cluster(
    urls.map((one) => ({ host: hostOf(new URL(one)), port: Number(new URL(one).port || 6379) })),
    {
      enableOfflineQueue: false,
      clusterRetryStrategy: () => RECONNECT_MS,
      clusterNodeRetryStrategy: () => RECONNECT_MS,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      scripts: SCRIPTS,
      slotsRefreshTimeout: CONNECT_MS,
      redisOptions: { ...options, ...credentialsOf(new URL(urls[0] as string)) },
    },
  );
}

function connectOne(url: string, options: ConnectionOptions): Redis {
  const client = new Redis(url, {
    ...options,
    enableOfflineQueue: false,
    retryStrategy: () => RECONNECT_MS,
  });
  // Where the server does not have the database that the URL names, the connection would go on in another one.
  client.on('error', ({ message }) => {
    if (message.includes('DB index')) client.disconnect(true);
  });
  return client;
}

/** Waits for the connection, but no longer. */
export function whenReady(client: RedisClient, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    if (client.status === 'ready') resolve();
    client.once('ready', () => resolve());
    setTimeout(resolve, milliseconds).unref();
  });
}

/** Gives up a connection that seems dead. `node`: `host:port` of a cluster's; else whatever there is. */
export function reconnect(client: RedisClient, node: string): void {
  if (client instanceof Redis) client.disconnect(true);
  else
    for (const one of client.nodes('master'))
      if (`${one.options.host}:${one.options.port}` === node) one.disconnect(true);
}

function credentialsOf({ protocol, username, password }: URL): ConnectionOptions {
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

/** Without the brackets that a URL puts around an address of version 6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
