/** Decides how servers are reached: which client speaks to one, to a cluster or through Sentinel, and how little is waited for. */
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { ServerConnector, ThroughSentinels } from './connectors.ts';
import { SCRIPTS } from './scripts.ts';

/** Where the counts are kept, as REDIS_URL says. */
export interface RedisServers {
  /** One `server` may still turn out to be a node of a cluster. */
  readonly kind: 'server' | 'cluster' | 'sentinel';
  /** The server, some nodes of the cluster, or the Sentinels. */
  readonly endpoints: readonly RedisEndpoint[];
  readonly database: number;
  readonly tls: boolean;
  readonly username: string | null;
  readonly password: string | null;
  /** What the Sentinels call the primary, and how they are signed in to. */
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
 * Connects in the background, again and again; a command while there is no connection fails at once,
 * and none is ever sent twice.
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
  // Where the server does not have the database that the URL names, the connection would go on in another one.
  client.on('error', ({ message }) => {
    if (/DB index|SELECT/.test(message)) client.disconnect(true);
  });
  return client;
}

/** `servers`: some of its nodes, or one. */
export function connectCluster(servers: RedisServers): Cluster {
  return new Cluster(servers.endpoints.filter(isHost), {
    enableOfflineQueue: false,
    clusterRetryStrategy: () => RECONNECT_MS,
    clusterNodeRetryStrategy: () => RECONNECT_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    scripts: SCRIPTS,
    slotsRefreshTimeout: CONNECT_MS,
    // Each connection looks the name up itself: certificates are made out to names, and one name may mean all nodes.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: optionsOf(servers),
  });
}

/** Gives up a connection that seems dead. `node`: `host:port` of a cluster's; else whatever there is. */
export function reconnect(client: RedisClient, node: string): void {
  if (client instanceof Redis) client.disconnect(true);
  else
    for (const one of client.nodes('master'))
      if (`${one.options.host}:${one.options.port}` === node) one.disconnect(true);
}

function optionsOf({ username, password, tls }: RedisServers): ClientOptions {
  return {
    connectionName: 'gatehouse',
    Connector: ServerConnector,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // A server that became a replica is left; the name, or the Sentinels, lead to its successor.
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
