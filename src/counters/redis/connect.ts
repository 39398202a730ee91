/** Decides which client connects to a single server, a cluster or through Sentinel, and how long it waits. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { ServerConnector, ThroughSentinels } from './connectors.ts';
import { SCRIPTS } from './scripts.ts';

/** The servers that REDIS_URL names. */
export interface RedisServers {
  /** A `server` may turn out to be a node of a cluster. */
  readonly kind: 'server' | 'cluster' | 'sentinel';
  /** The server, some nodes of the cluster, or the Sentinels. */
  readonly endpoints: readonly RedisEndpoint[];
  readonly database: number;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** The Sentinels' name for the primary, and the credentials for the Sentinels. */
  readonly sentinel: SentinelAccess | null;
}

export type RedisEndpoint = HostAndPort | { readonly path: string };

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

interface SentinelAccess {
  readonly primary: string;
  readonly username: string | null;
  readonly password: string | null;
}

export type RedisClient = Redis | Cluster;
type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

const CONNECT_MS = 1_000;
const RECONNECT_MS = 200;

/**
 * Connects in the background and reconnects when the connection is lost. Without a connection, a command fails at once. No
 * command is sent twice.
 */
export function connect(servers: RedisServers): RedisClient {
  if (servers.kind === 'cluster') return connectCluster(servers);
  const [endpoint] = servers.endpoints;
  const client = new Redis({
    ...optionsOf(servers),
    ...(servers.kind === 'sentinel' ? sentinelOptionsOf(servers) : endpoint),
    db: servers.database,
    enableOfflineQueue: false,
    retryStrategy: () => RECONNECT_MS,
  });
  // If the server does not have the database of the URL, the client would continue in another database.
  client.on('error', ({ message }) => {
    if (/DB index|SELECT/.test(message)) client.disconnect(true);
  });
  return client;
}

/** @param servers one or more nodes of the cluster */
export function connectCluster(servers: RedisServers): Cluster {
  return new Cluster(servers.endpoints.filter(isHost), {
    enableOfflineQueue: false,
    clusterRetryStrategy: () => RECONNECT_MS,
    clusterNodeRetryStrategy: () => RECONNECT_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    scripts: SCRIPTS,
    slotsRefreshTimeout: CONNECT_MS,
    // Keep the name, which each connection resolves: certificates contain names, and one name may stand for all nodes.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: optionsOf(servers),
  });
}

/** Closes a connection that seems dead and opens a new one. @param node `host:port` of a cluster's node; ignored otherwise */
export function reconnect(client: RedisClient, node: string): void {
  if (client instanceof Redis) client.disconnect(true);
  else
    for (const primary of client.nodes('master'))
      if (`${primary.options.host}:${primary.options.port}` === node) primary.disconnect(true);
}

function optionsOf({ username, password, tls }: RedisServers): ClientOptions {
  return {
    connectionName: 'gatehouse',
    Connector: ServerConnector,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Leave a server that became a replica: the name, or the Sentinels, lead to the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    scripts: SCRIPTS,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
}

function sentinelOptionsOf({ endpoints, sentinel, tls }: RedisServers): ClientOptions {
  return {
    Connector: ThroughSentinels,
    sentinels: endpoints.filter(isHost),
    name: sentinel?.primary as string,
    sentinelRetryStrategy: () => RECONNECT_MS,
    sentinelCommandTimeout: CONNECT_MS,
    ...(sentinel?.username == null ? {} : { sentinelUsername: sentinel.username }),
    ...(sentinel?.password == null ? {} : { sentinelPassword: sentinel.password }),
    ...(tls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}

function isHost(endpoint: RedisEndpoint): endpoint is HostAndPort {
  return 'host' in endpoint;
}
