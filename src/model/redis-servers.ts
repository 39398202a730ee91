/** The servers that REDIS_URL names, as the settings give them to the counters. */

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

export interface HostAndPort {
  /** Host without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

interface SentinelAccess {
  readonly primary: string;
  readonly username: string | null;
  readonly password: string | null;
}
