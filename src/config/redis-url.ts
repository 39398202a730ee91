/** Reads REDIS_URL: one server, a Unix socket, the nodes of a cluster, or the Sentinels that know the primary. */
import type { HostAndPort, RedisServers } from '../model/redis-servers.ts';

const SERVER_PORT = 6379;
const SENTINEL_PORT = 26_379;
/** Scheme, user and password, hosts, path, parameters. */
const PARTS = /^([a-z+]+):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i;
const FORMS =
  'must be redis://host:6379, rediss:// for TLS, several separated by commas for a cluster, redis+sentinel://host:26379/name, unix:///path, or `none`; special characters in a password as %XX';

/** @throws Error that says what the text must be, without quoting it */
export function readRedisUrl(text = 'none'): RedisServers | null {
  if (text === 'none') return null;
  const scheme = text.slice(0, Math.max(0, text.indexOf('://'))).toLowerCase();
  if (scheme === 'unix' || scheme === 'redis+unix') return readSocket(split(text));
  if (scheme === 'redis+sentinel' || scheme === 'rediss+sentinel') return readSentinels(split(text));
  const nodes = text.split(',').map((url) => readServer(split(url.trim())));
  const [first, ...more] = nodes as [RedisServers, ...RedisServers[]];
  if (more.length === 0) return first;
  if (nodes.some(({ database }) => database !== 0)) throw new Error('must use database 0 for a cluster');
  const differs = ({ tls, username, password }: RedisServers) =>
    tls !== first.tls || (password !== null && (username !== first.username || password !== first.password));
  if (more.some(differs))
    throw new Error('must use the same scheme, user and password for all nodes of a cluster');
  return { ...first, kind: 'cluster', endpoints: nodes.flatMap(({ endpoints }) => endpoints) };
}

interface Parts {
  readonly scheme: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly hosts: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
}

function split(text: string): Parts {
  const [whole, scheme = '', user = '', hosts = '', path = '', query = ''] = PARTS.exec(text) ?? [];
  if (whole === undefined) throw new Error(FORMS);
  const colon = user.indexOf(':');
  const [name, password] = colon < 0 ? [user, ''] : [user.slice(0, colon), user.slice(colon + 1)];
  return {
    scheme: scheme.toLowerCase(),
    username: decode(name),
    password: decode(password),
    hosts,
    path: decode(path) ?? '',
    parameters: new URLSearchParams(query),
  };
}

function readServer({ scheme, username, password, hosts, path, parameters }: Parts): RedisServers {
  if (scheme !== 'redis' && scheme !== 'rediss') throw new Error(FORMS);
  allowOnly(parameters, ['db']);
  const endpoints = [readEndpoint(hosts, SERVER_PORT)];
  const database = readDatabase(path.slice(1) || parameters.get('db'));
  return {
    kind: 'server',
    endpoints,
    database,
    tls: scheme === 'rediss',
    username,
    password,
    sentinel: null,
  };
}

function readSocket({ username, password, hosts, path, parameters }: Parts): RedisServers {
  if (hosts !== '' || path.length < 2)
    throw new Error('must name the absolute path of the socket: unix:///path');
  allowOnly(parameters, ['db']);
  const database = readDatabase(parameters.get('db'));
  return { kind: 'server', endpoints: [{ path }], database, tls: false, username, password, sentinel: null };
}

function readSentinels({ scheme, username, password, hosts, path, parameters }: Parts): RedisServers {
  const [, primary = '', database = null, ...more] = path.split('/');
  if (!/^[\w.-]+$/.test(primary) || more.length > 0)
    throw new Error('must end with the Sentinels’ name for the primary: redis+sentinel://host:26379/name');
  allowOnly(parameters, ['sentinel_user', 'sentinel_password']);
  return {
    kind: 'sentinel',
    endpoints: hosts.split(',').map((host) => readEndpoint(host.trim(), SENTINEL_PORT)),
    database: readDatabase(database),
    tls: scheme === 'rediss+sentinel',
    username,
    password,
    sentinel: {
      primary,
      username: parameters.get('sentinel_user') || null,
      password: parameters.get('sentinel_password') || null,
    },
  };
}

function readEndpoint(text: string, fallback: number): HostAndPort {
  if (!URL.canParse(`redis://${text}`) || /[\s,]/.test(text)) throw new Error(FORMS);
  const { hostname, port } = new URL(`redis://${text}`);
  if (hostname === '' || port === '0') throw new Error(FORMS);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || fallback) };
}

function readDatabase(text: string | null): number {
  if (!/^\d{0,5}$/.test(text ?? ''))
    throw new Error('must use a number for the database, as in redis://host:6379/0');
  return Number(text ?? 0);
}

/** An unknown parameter would look like a setting that works. */
function allowOnly(parameters: URLSearchParams, names: readonly string[]): void {
  const strangers = [...parameters.keys()].some((name) => !names.includes(name));
  if (strangers) throw new Error(`must have no parameters except ${names.join(' and ')}`);
}

function decode(text: string): string | null {
  try {
    return text === '' ? null : decodeURIComponent(text);
  } catch {
    throw new Error(FORMS);
  }
}
