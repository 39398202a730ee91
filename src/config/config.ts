/** Reads the settings: the only place that looks at the environment. */
import type { FlipLimit } from '../model/feed-status.ts';
import type { GroupRole } from '../model/group-role.ts';
import { socketPathOf } from '../model/listen-address.ts';
import type { SmtpServer } from '../model/smtp-server.ts';
import type { readRedisUrl } from './redis-url.ts';
import type { Setting } from './setting.ts';
import { ConfigError, fileTwin, readSource } from './setting-source.ts';
import { SETTINGS } from './settings.ts';
import { findUnknown } from './unknown-settings.ts';

export interface Config {
  readonly port: number;
  /** Port of a listener of its own for metrics and health; `null`: they are on `port`. */
  readonly metricsPort: number | null;
  /** IP address or name, or `unix:` and the path of a socket: then `port` is not used. */
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** URL of PostgreSQL; `null` keeps everything in SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** Valkey or Redis, how to reach it; `null` counts in this process. */
  readonly redisServers: ReturnType<typeof readRedisUrl>;
  /** Key that addresses are hashed with, 32 bytes; `null` takes the one that the installation made. */
  readonly secret: Buffer | null;
  /** Text of the first account's live key; `null` makes one. */
  readonly bootstrapKey: string | null;
  /** Days that assessments are kept; `null` keeps all. */
  readonly retentionDays: number | null;
  /** Days that IPs and addresses are kept in assessments; `null`: as long as the assessments. */
  readonly retentionPersonalDays: number | null;
  /** Whole months, instead of days, that assessments are kept beside the current one; `null`: the days count. */
  readonly retentionMonths: number | null;
  /** Days that addresses of mailboxes with several are kept, as hashes; 0: none are kept. */
  readonly retentionMailboxDays: number;
  /** Whether these stay until then when a person is erased. */
  readonly keepsErasedMailboxes: boolean;
  /** `ip:port`, IPv6 in brackets. */
  readonly dnsServers: readonly string[];
  /** Old domains that certainly take mail, to detect sources that give wrong answers; empty: none. */
  readonly canaryDomains: readonly string[];
  /** `null` switches RDAP off. */
  readonly rdapBootstrapUrl: string | null;
  /** Whether feeds are fetched. */
  readonly feeds: boolean;
  /** Absolute path of a JSON file that changes or adds feeds; `null` leaves the table as it is. */
  readonly feedsFile: string | null;
  /** Memory for the velocity counts of this process, in MB. */
  readonly velocityMegabytes: number;
  /** Milliseconds of one turn of the event loop after which requests are refused; `null`: never. */
  readonly shedAfterMs: number | null;
  /** Number of listed disposable domains that flags a mail host for every account; `null` learns nothing about mail hosts. */
  readonly disposableMxMin: number | null;
  /** URL of the proxy for `http:` addresses, with its password; `null`: none. */
  readonly httpProxy: string | null;
  /** URL of the proxy for `https:` addresses, with its password; `null`: none. */
  readonly httpsProxy: string | null;
  /** Hosts that are reached without them, in lower case. */
  readonly noProxy: readonly string[];
  /** `null` does not ask AbuseIPDB. */
  readonly abuseIpDbKey: string | null;
  readonly abuseIpDbUrl: string;
  /** Zones of DNS blocklists. */
  readonly dnsblIp: readonly string[];
  readonly dnsblDomain: readonly string[];
  readonly logLevel: string;
  /** Whether each answer is logged. */
  readonly accessLog: boolean;
  /** Time that appeals are kept; `null`: there are none. */
  readonly appealDays: number | null;
  /** Lifetime of challenge tokens; `null` gives none. */
  readonly challengeMinutes: number | null;
  /** Factor of the work of a proof of work, 0.1 … 10. */
  readonly proofWork: number;
  /** `null` refuses responses of this CAPTCHA. */
  readonly turnstileSecret: string | null;
  readonly turnstileUrl: string;
  readonly hcaptchaSecret: string | null;
  readonly hcaptchaUrl: string;
  readonly recaptchaSecret: string | null;
  readonly recaptchaUrl: string;
  /** 0 … 1 */
  readonly recaptchaMinScore: number;
  readonly storeEmails: boolean;
  /** Changed verdicts that an update of a feed may bring; `null`: any number. */
  readonly feedFlips: FlipLimit | null;
  /** Days of signups that are judged again each night; `null`: none are. */
  readonly recallDays: number | null;
  /** 0 to 23, by each account's clock. */
  readonly recallHour: number;
  /** Proxies whose X-Forwarded-* headers are believed: none, all, a number of hops, or addresses and ranges. */
  readonly trustProxy: boolean | string | number;
  /** Whether webhooks may lead to private addresses, to any port, and without TLS. */
  readonly webhooksPrivate: boolean;
  /** Mail server; `null` sends no mail. */
  readonly smtpServer: SmtpServer | null;
  /** Sender of mail: an address, perhaps with a name; `null`: none. */
  readonly smtpFrom: string | null;
  /** The dashboard's URL for people, without a slash at the end; `null`: taken from each request. */
  readonly publicUrl: string | null;
  /** Folder of scheduled backups; `null`: there are none. */
  readonly backupDir: string | null;
  readonly backupHours: number;
  /** Number of scheduled backups that are kept. */
  readonly backupKeep: number;
  /** OpenID provider that people sign in at; `null`: none. */
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  /** `null`: a public client, which only PKCE protects. */
  readonly oidcClientSecret: string | null;
  /** Separated by spaces; `openid` is among them. */
  readonly oidcScopes: string;
  readonly oidcGroupsClaim: string;
  /** Roles that groups of the provider give. */
  readonly oidcRoles: readonly GroupRole[];
  /** Name of the provider on the sign-in page. */
  readonly oidcLabel: string;
  /** Whether people may sign in with a password. */
  readonly hasPasswords: boolean;
}

/** Every setting has its row. */
const TABLE: { readonly [Name in keyof Config]: Setting<Config[Name]> } = SETTINGS;

/** @throws ConfigError for the first setting that does not fit. An empty variable counts as unset. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries<Setting>(TABLE).map(([key, setting]) => [
    key,
    setting === TABLE.noProxy ? readNoProxy(environment) : readSetting(setting, environment),
  ]);
  const config = Object.fromEntries(entries) as Config;
  if (config.retentionMonths !== null) refuseMonths(config, environment);
  if (config.smtpServer !== null && config.smtpFrom === null)
    throw new ConfigError('GATEHOUSE_SMTP_URL needs GATEHOUSE_SMTP_FROM, the sender of the messages');
  refuseHalfOidc(config);
  if (config.backupDir !== null && config.databaseUrl !== null)
    throw new ConfigError(
      'GATEHOUSE_BACKUP_DIR backs up SQLite, and with DATABASE_URL everything is in PostgreSQL: unset it, and schedule pg_dump as docs/backup.md says',
    );
  if (config.metricsPort === config.port && config.port !== 0 && socketPathOf(config.host) === undefined)
    throw new ConfigError(
      `GATEHOUSE_METRICS_PORT is the same port as PORT (${config.port}): set another one, or unset it to serve the metrics on PORT`,
    );
  return Object.freeze(config);
}

/** @throws ConfigError where sign-in at a provider cannot work, or nobody could sign in */
function refuseHalfOidc({ oidcIssuer, oidcClientId, publicUrl, hasPasswords }: Config): void {
  if (oidcIssuer === null) {
    if (hasPasswords) return;
    throw new ConfigError('GATEHOUSE_PASSWORDS=off needs GATEHOUSE_OIDC_ISSUER: nobody could sign in');
  }
  if (oidcClientId === null) throw new ConfigError('GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_OIDC_CLIENT_ID');
  if (publicUrl === null)
    throw new ConfigError(
      'GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_URL, where the provider sends people back to',
    );
}

/** A variable of all programs: where no proxy is set it must stop nothing, whatever forms the others know. */
function readNoProxy(environment: NodeJS.ProcessEnv): Config['noProxy'] {
  try {
    return readSetting(TABLE.noProxy, environment);
  } catch (error) {
    const proxies = [TABLE.httpProxy, TABLE.httpsProxy];
    if (proxies.every((proxy) => readSetting(proxy, environment) === null)) return [];
    throw error;
  }
}

/** @throws ConfigError where months cannot count, or days are set as well */
function refuseMonths({ databaseUrl }: Config, environment: NodeJS.ProcessEnv): void {
  if (databaseUrl === null)
    throw new ConfigError('GATEHOUSE_RETENTION_MONTHS needs DATABASE_URL: use GATEHOUSE_RETENTION_DAYS');
  if ((environment.GATEHOUSE_RETENTION_DAYS ?? '').trim() !== '')
    throw new ConfigError('GATEHOUSE_RETENTION_DAYS and GATEHOUSE_RETENTION_MONTHS are both set: unset one');
}

function readSetting<T>(
  { name, secret, alsoLowerCase, read }: Setting<T>,
  environment: NodeJS.ProcessEnv,
): T {
  const lower = alsoLowerCase ? readSource(name.toLowerCase(), false, environment) : undefined;
  const source = lower?.text === undefined ? readSource(name, secret, environment) : lower;
  try {
    return read(source.text);
  } catch (error) {
    const quoted = secret || source.text === undefined ? '' : `, not ${JSON.stringify(source.text)}`;
    throw new ConfigError(`${source.name} ${(error as Error).message}${quoted}`);
  }
}

/** Whether nobody chose the data folder: then it depends on the folder that the process was started in. */
export function isDataDirUnset(environment: NodeJS.ProcessEnv = process.env): boolean {
  return (environment.GATEHOUSE_DATA_DIR ?? '').trim() === '';
}

/** Variables that look like our settings but are not, each with the most similar setting. */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  return findUnknown(
    environment,
    Object.values<Setting>(TABLE).flatMap(({ name, secret }) => (secret ? [name, fileTwin(name)] : [name])),
  );
}
