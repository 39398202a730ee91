/** Decides which client connects to a single server, a cluster or through Sentinel, how long it waits, and which scripts it has. */
import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions, SentinelConnector } from 'ioredis';
import { StandaloneConnector } from 'ioredis/built/connectors/index.js';
import type { HostAndPort, RedisEndpoint, RedisServers } from '../../model/redis-servers.ts';
import { gatherWrites } from './gather-writes.ts';

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

/** Asks a cluster which servers it has now: a dead primary tells nobody that its replica has taken its place. */
export function refreshServers(client: RedisClient): void {
  if (client instanceof Cluster && client.status === 'ready') client.refreshSlotsCache();
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

type Sentinels = ConstructorParameters<typeof SentinelConnector>[0];
type Report = Parameters<SentinelConnector['connect']>[0];

/**
 * No connection error ends the process: TLS may report a second error after the first closed the connection, but the client
 * listens for the first one only. Commands of one callback are sent together.
 */
class ServerConnector extends StandaloneConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof StandaloneConnector>[0]);
  }

  override async connect(report: Report) {
    const stream = await super.connect(report);
    return gatherWrites(stream.on('error', ignore));
  }
}

/** Connector through Sentinels: no error of a connection ends the process, also not of those to the Sentinels. */
class ThroughSentinels extends SentinelConnector {
  constructor(options: unknown) {
    super(options as Sentinels);
    const { connectToSentinel } = this as unknown as {
      connectToSentinel(endpoint: object, options?: object): unknown;
    };
    Object.assign(this, {
      connectToSentinel: (endpoint: object, more?: object) =>
        connectToSentinel.call(this, endpoint, { ...more, Connector: ServerConnector }),
    });
  }

  override async connect(report: Report) {
    const stream = await super.connect(report);
    return stream.on('error', ignore);
  }
}

function ignore(): void {}

/** The scripts as commands of the client. Arguments: the number of keys, the keys, further arguments. */
export interface ScriptCommands {
  gatehouseAdmit(...args: (string | number)[]): Promise<number[]>;
  gatehouseCount(...args: (string | number)[]): Promise<string>;
  gatehouseUndo(...args: (string | number)[]): Promise<number>;
  gatehouseBlock(...args: (string | number)[]): Promise<number>;
  gatehouseRestore(...args: (string | number)[]): Promise<number>;
  gatehouseTime(...args: (string | number)[]): Promise<[seconds: string, microseconds: string]>;
}

export const SCRIPTS: Readonly<Record<keyof ScriptCommands, { readonly lua: string }>> = {
  gatehouseAdmit: { lua: read('rate', 'admit') },
  gatehouseCount: { lua: read('rate', 'attempts', 'count') },
  gatehouseUndo: { lua: read('attempts', 'undo') },
  gatehouseBlock: { lua: read('attempts', 'block') },
  gatehouseRestore: { lua: read('attempts', 'restore') },
  gatehouseTime: { lua: "return redis.call('TIME')" },
};

/** A script after the scripts that it needs. */
function read(...names: string[]): string {
  return names.map((name) => readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8')).join('\n');
}
