/** Reads the settings: the only place that looks at the environment. */
import { getServers } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** `ip:port`, IPv6 in brackets. */
  readonly dnsServers: readonly string[];
  /** `null` switches RDAP off. */
  readonly rdapBootstrapUrl: string | null;
  /** Whether feeds are fetched. */
  readonly feeds: boolean;
  /** Absolute path of a JSON file that changes or adds feeds; `null` leaves the table as it is. */
  readonly feedsFile: string | null;
  /** Fewest listed disposable domains at a mail host that convict its others; `null` learns nothing of mail hosts. */
  readonly disposableMxMin: number | null;
  /** `null` does not ask AbuseIPDB. */
  readonly abuseIpDbKey: string | null;
  readonly abuseIpDbUrl: string;
  /** Zones of DNS blocklists. */
  readonly dnsblIp: readonly string[];
  readonly dnsblDomain: readonly string[];
  readonly logLevel: string;
  readonly storeEmails: boolean;
  /** A Fastify `trustProxy` value. */
  readonly trustProxy: boolean | string | number;
  /** Where people reach the dashboard, without a slash at the end; `null`: wherever they do. */
  readonly publicUrl: string | null;
}

/** One setting: what it is called, what it means, and how its text is read. */
export interface Setting<T = unknown> {
  readonly name: string;
  /** As shown in the documentation. */
  readonly default: string;
  readonly meaning: string;
  /** @param text `undefined` when unset. @throws Error that says what the value must be */
  readonly read: (text: string | undefined) => T;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const ABUSEIPDB = 'https://api.abuseipdb.com/api/v2/check';
const ZONE = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const IANA_BOOTSTRAP = 'https://data.iana.org/rdap/dns.json';

export const SETTINGS = {
  port: setting('PORT', '8080', 'Port to listen on; `0` takes a free one.', (text = '8080') => {
    const port = Number(text);
    if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('must be a whole number from 0 to 65535');
    return port;
  }),
  host: setting(
    'HOST',
    '127.0.0.1',
    'Address to listen on; `0.0.0.0` or `::` for all.',
    (text = '127.0.0.1') => {
      if (isIP(text) === 0 && text !== 'localhost') throw new Error('must be an IP address of this machine');
      return text;
    },
  ),
  dataDir: setting(
    'GATEHOUSE_DATA_DIR',
    './data',
    'Folder of the database and the secret that hashes addresses. Created where it does not exist.',
    (text = './data') => resolve(text),
  ),
  dnsServers: setting(
    'GATEHOUSE_DNS_SERVERS',
    'the system’s',
    'Resolvers to ask for MX records: `ip:port`, separated by commas; the port is 53 unless given.',
    (text) =>
      (text === undefined ? getServers() : text.split(',').map((part) => part.trim())).map(readServer),
  ),
  rdapBootstrapUrl: setting(
    'GATEHOUSE_RDAP_BOOTSTRAP_URL',
    IANA_BOOTSTRAP,
    'Where the list of registries for domain ages is fetched; `off` asks no registry.',
    (text = IANA_BOOTSTRAP) => {
      if (text === 'off') return null;
      if (!isHttpUrl(text)) throw new Error('must be an http or https URL, or `off`');
      return text;
    },
  ),
  feeds: setting(
    'GATEHOUSE_FEEDS',
    'on',
    'Keep intelligence up to date from the publishers of feeds (`on`), or never fetch one (`off`).',
    (text = 'on') => oneOf(text, ['on', 'off']) === 'on',
  ),
  feedsFile: setting(
    'GATEHOUSE_FEEDS_FILE',
    'none',
    'JSON file that changes feeds or adds some, see [feeds](data-sources.md#your-own-feeds).',
    (text = 'none') => (text === 'none' ? null : readJsonPath(text)),
  ),
  disposableMxMin: setting(
    'GATEHOUSE_DISPOSABLE_MX_MIN',
    '2',
    'How many listed disposable domains a mail host must serve before its other domains count as disposable by association, 1 to 20; `off` learns nothing of mail hosts.',
    (text = '2') => {
      if (text === 'off') return null;
      if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 20)
        throw new Error('must be a whole number from 1 to 20, or `off`');
      return Number(text);
    },
  ),
  abuseIpDbKey: setting(
    'GATEHOUSE_ABUSEIPDB_KEY',
    'off',
    'Key to ask AbuseIPDB about the IP of a signup with; `off` does not ask it.',
    (text = 'off') => (text === 'off' ? null : text),
  ),
  abuseIpDbUrl: setting(
    'GATEHOUSE_ABUSEIPDB_URL',
    ABUSEIPDB,
    'The check endpoint of AbuseIPDB’s API, version 2.',
    (text = ABUSEIPDB) => {
      if (!isHttpUrl(text)) throw new Error('must be an http or https URL');
      return text;
    },
  ),
  dnsblIp: setting(
    'GATEHOUSE_DNSBL_IP',
    'off',
    'Zones of DNS blocklists to ask about the IP of a signup, separated by commas; `off` asks none.',
    readZones,
  ),
  dnsblDomain: setting(
    'GATEHOUSE_DNSBL_DOMAIN',
    'off',
    'Zones of DNS blocklists to ask about the email domain of a signup, separated by commas; `off` asks none.',
    readZones,
  ),
  logLevel: setting(
    'GATEHOUSE_LOG_LEVEL',
    'info',
    `How much to log: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. \`debug\` has a line for every request.`,
    (text = 'info') => oneOf(text, LOG_LEVELS),
  ),
  storeEmails: setting(
    'GATEHOUSE_STORE_EMAILS',
    'off',
    'Keep full addresses with the assessments (`on`), or only their domain, a keyed hash and a masked form (`off`).',
    (text = 'off') => oneOf(text, ['on', 'off']) === 'on',
  ),
  trustProxy: setting(
    'GATEHOUSE_TRUST_PROXY',
    'off',
    'Whose `X-Forwarded-*` headers to believe: `off`, `on` (anybody’s), a number of hops, or addresses and ranges separated by commas.',
    (text = 'off') => {
      if (text === 'on' || text === 'off') return text === 'on';
      if (/^\d{1,2}$/.test(text)) return Number(text);
      if (!text.split(',').every((part) => isRange(part.trim())))
        throw new Error('must be `off`, `on`, a number of hops, or IP addresses and ranges');
      return text;
    },
  ),
  publicUrl: setting(
    'GATEHOUSE_PUBLIC_URL',
    'none',
    'Where people reach the dashboard, for the links that let them in: `https://gatehouse.example.com`; needed where a proxy passes another `Host` on.',
    (text = 'none') => {
      if (text === 'none') return null;
      if (!isHttpUrl(text) || new URL(text).pathname !== '/')
        throw new Error('must be an http or https URL without a path');
      return new URL(text).origin;
    },
  ),
} as const satisfies { [Name in keyof Config]: Setting<Config[Name]> };

/** A setting that cannot be used; the message is one line that says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError for the first setting that does not fit. An empty variable counts as unset. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries<Setting>(SETTINGS).map(([key, { name, read }]) => {
    const text = environment[name]?.trim();
    try {
      return [key, read(text === '' ? undefined : text)];
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}, not ${JSON.stringify(text)}`);
    }
  });
  return Object.freeze(Object.fromEntries(entries)) as Config;
}

function setting<T>(name: string, fallback: string, meaning: string, read: (text?: string) => T): Setting<T> {
  return { name, default: fallback, meaning, read };
}

function oneOf<const T extends string>(text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
  return found;
}

/** What the file says is read where feeds are known; that it can be read at all is known here. */
function readJsonPath(text: string): string {
  const file = resolve(text);
  try {
    JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code = 'it holds something else' } = error as NodeJS.ErrnoException;
    throw new Error(`must be a JSON file that can be read (${code})`);
  }
  return file;
}

function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '');
}

function readZones(text = 'off'): readonly string[] {
  if (text === 'off') return [];
  const zones = text.split(',').map((zone) => zone.trim().toLowerCase().replace(/\.$/, ''));
  if (!zones.every((zone) => zone.length <= 180 && ZONE.test(zone)))
    throw new Error('must be a list like dnsbl.example.org,bl.example.net, or `off`');
  return [...new Set(zones)];
}

/** An IP address, alone or with a prefix length that fits it. */
function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    more.length === 0 &&
    longest > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
  );
}

function readServer(text: string): string {
  const bare = isIP(text);
  if (bare !== 0) return bare === 6 ? `[${text}]:53` : `${text}:53`;
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  const fits =
    isIP(address) === (bracketed === undefined ? 4 : 6) &&
    Number(port ?? 53) >= 1 &&
    Number(port ?? 53) <= 65_535;
  if (!fits) throw new Error('must be a list like 192.0.2.1:53,[2001:db8::1]:53');
  return bracketed === undefined ? `${address}:${port ?? 53}` : `[${address}]:${port ?? 53}`;
}
