/** The settings, one row each: what it is called, what it means, and how its text is read. */
import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { socketPathOf } from '../model/listen-address.ts';
import { BACKUP_SETTINGS } from './backup-settings.ts';
import { readDatabaseUrl } from './database-url.ts';
import { OIDC_SETTINGS } from './oidc-settings.ts';
import {
  isHttpUrl,
  isRange,
  oneOf,
  readBootstrapKey,
  readCanaryDomains,
  readFactor,
  readFlipLimit,
  readFolder,
  readInteger,
  readIntegerOrOff,
  readJsonPath,
  readNoProxy,
  readProxy,
  readServer,
  readShare,
  readSocket,
  readSwitch,
  readZones,
} from './read-values.ts';
import { readRedisUrl } from './redis-url.ts';
import { confidential, ofAllPrograms, type Setting, setting } from './setting.ts';
import { readSmtpUrl } from './smtp-url.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MAX_PORT = 65_535;
const ABUSEIPDB = 'https://api.abuseipdb.com/api/v2/check';
/** Domains of five owners, so that no single one's outage is taken for the resolver's. */
const CANARIES = 'gmail.com,outlook.com,yahoo.com,icloud.com,gmx.net';
/** URLs at which each provider of a CAPTCHA verifies responses. */
const TURNSTILE = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const HCAPTCHA = 'https://api.hcaptcha.com/siteverify';
const RECAPTCHA = 'https://www.google.com/recaptcha/api/siteverify';
const IANA_BOOTSTRAP = 'https://data.iana.org/rdap/dns.json';

export const SETTINGS = {
  port: setting('PORT', '8080', 'Port to listen on; `0` takes any free port.', (text = '8080') =>
    readInteger(text, 0, MAX_PORT),
  ),
  metricsPort: setting(
    'GATEHOUSE_METRICS_PORT',
    'off',
    'Separate port for `/metrics`, `/healthz` and `/readyz`; `/metrics` then answers only there. `off`: all three are on `PORT`.',
    (text = 'off') => readIntegerOrOff(text, 0, MAX_PORT),
  ),
  host: setting(
    'HOST',
    '127.0.0.1',
    'Address to listen on; `0.0.0.0` or `::` means every address of the machine. `unix:/run/gatehouse/gatehouse.sock` listens on [a Unix socket](install.md#on-a-unix-socket), without a port.',
    (text = '127.0.0.1') => {
      if (socketPathOf(text) !== undefined) return readSocket(text);
      if (isIP(text) === 0 && text !== 'localhost')
        throw new Error(
          'must be an IP address of this machine, or `unix:` and the absolute path of a socket',
        );
      return text;
    },
  ),
  dataDir: setting(
    'GATEHOUSE_DATA_DIR',
    './data',
    'Folder for the database and the secret that hashes addresses. The first start creates it.',
    readFolder,
  ),
  databaseUrl: confidential(
    'DATABASE_URL',
    'none',
    'PostgreSQL database that stores everything, shared by any number of processes: `postgres://user:password@host/database`, or `postgres:///database?host=/folder` for a Unix socket; reserved characters of the password as %XX. Without it, SQLite in the data folder stores everything.',
    (text = 'none') => {
      return text === 'none' ? null : readDatabaseUrl(text);
    },
  ),
  redisServers: confidential(
    'REDIS_URL',
    'none',
    'Valkey or Redis server that counts for all processes together: `redis://host:6379`, `rediss://…` or [another form](#redis_url). Without it, each process counts for itself.',
    readRedisUrl,
  ),
  secret: confidential(
    'GATEHOUSE_SECRET',
    'none',
    'Secret that hashes addresses, 64 hexadecimal digits. Without it, the first start creates one: in the data folder, or with `DATABASE_URL` in the database.',
    (text = 'none') => {
      if (text === 'none') return null;
      if (!/^[0-9a-f]{64}$/i.test(text))
        throw new Error('must be 64 hexadecimal digits, as `openssl rand -hex 32` makes them');
      return Buffer.from(text, 'hex');
    },
  ),
  bootstrapKey: confidential(
    'GATEHOUSE_BOOTSTRAP_KEY',
    'none',
    'Live key for the first account, if you keep your secrets elsewhere: `sk_live_` and 27 to 64 random letters and digits. Only the first start uses it. Without it, the first start creates one.',
    readBootstrapKey,
  ),
  retentionDays: setting(
    'GATEHOUSE_RETENTION_DAYS',
    '365',
    'How many days to keep assessments, with their feedback and challenges, 1 to 36500; `off` keeps all. [What is removed when](#retention).',
    (text = '365') => readIntegerOrOff(text, 1, 36_500),
  ),
  retentionPersonalDays: setting(
    'GATEHOUSE_RETENTION_PERSONAL_DAYS',
    '90',
    'How many days to keep the IP and the masked or full address in assessments, 1 to 36500; then they are [blanked](#ips-and-addresses). `off` keeps them as long as the assessments.',
    (text = '90') => readIntegerOrOff(text, 1, 36_500),
  ),
  retentionMonths: setting(
    'GATEHOUSE_RETENTION_MONTHS',
    'off',
    'Instead of `GATEHOUSE_RETENTION_DAYS`, with `DATABASE_URL`: how many whole months of assessments to keep besides the [current month](#retention), 1 to 1200; `off` leaves it to the days.',
    (text = 'off') => readIntegerOrOff(text, 1, 1_200),
  ),
  retentionMailboxDays: setting(
    'GATEHOUSE_RETENTION_MAILBOX_DAYS',
    '90',
    'How many days to keep that an address of a [mailbox with several](#mailboxes) signed up, as keyed hashes, 1 to 365; 0 keeps and counts none.',
    (text = '90') => readInteger(text, 0, 365),
  ),
  keepsErasedMailboxes: setting(
    'GATEHOUSE_ERASED_MAILBOX',
    'erase',
    'What the erasure of a person does with these hashes: `erase` removes them, `keep` lets them stay until their days are over, against a banned person who comes back. [What the law says about it](people.md#hashes-that-may-stay).',
    (text = 'erase') => oneOf(text, ['erase', 'keep']) === 'keep',
  ),
  dnsServers: setting(
    'GATEHOUSE_DNS_SERVERS',
    'the system’s',
    'Resolvers for MX records: `ip:port`, separated by commas; the default port is 53.',
    (text) =>
      (text === undefined ? getServers() : text.split(',').map((part) => part.trim())).map(readServer),
  ),
  canaryDomains: setting(
    'GATEHOUSE_CANARY_DOMAINS',
    CANARIES,
    'Three to ten large, old mail domains with different owners. With them Gatehouse notices a resolver or registry that gives the [same wrong answer for every domain](distrusted-sources.md); `off` believes every answer.',
    (text = CANARIES) => readCanaryDomains(text),
  ),
  rdapBootstrapUrl: setting(
    'GATEHOUSE_RDAP_BOOTSTRAP_URL',
    IANA_BOOTSTRAP,
    'Address of the list of registries that know domain ages; `off` asks no registry.',
    (text = IANA_BOOTSTRAP) => {
      if (text === 'off') return null;
      if (!isHttpUrl(text)) throw new Error('must be an http or https URL, or `off`');
      return text;
    },
  ),
  feeds: setting(
    'GATEHOUSE_FEEDS',
    'on',
    'Fetch [feeds](feeds.md) from their publishers (`on`), or never fetch any (`off`).',
    (text = 'on') => readSwitch(text),
  ),
  feedsFile: setting(
    'GATEHOUSE_FEEDS_FILE',
    'none',
    'JSON file that changes feeds or [adds your own](data-sources.md#your-own-feeds).',
    (text = 'none') => (text === 'none' ? null : readJsonPath(text)),
  ),
  velocityMegabytes: setting(
    'GATEHOUSE_VELOCITY_MB',
    '256',
    'Memory for this process’s velocity counts, 16 to 16384 MB. When it is full, the account that uses the most [forgets its oldest attempts](sizing.md#velocity-in-memory).',
    (text = '256') => readInteger(text, 16, 16_384),
  ),
  shedAfterMs: setting(
    'GATEHOUSE_SHED_AFTER_MS',
    '200',
    'How many milliseconds one turn of the event loop may last, 1 to 10000: the rest of its requests is refused with 503 ([overload](reliability.md#overload)). `off` refuses none for this reason.',
    (text = '200') => readIntegerOrOff(text, 1, 10_000),
  ),
  disposableMxMin: setting(
    'GATEHOUSE_DISPOSABLE_MX_MIN',
    '3',
    'Number of listed domains that a mail host must serve before its other domains count as [disposable by association](mail-hosts.md), 1 to 20. Domains that only one account saw do not count; for that account alone they do, and two more are needed. `off` learns nothing about mail hosts.',
    (text = '3') => readIntegerOrOff(text, 1, 20),
  ),
  httpProxy: ofAllPrograms(
    confidential(
      'HTTP_PROXY',
      'none',
      'Proxy through which `http:` addresses are reached: `http://user:password@proxy.example.com:3128`. [What goes through it](install.md#behind-a-corporate-proxy).',
      readProxy,
    ),
  ),
  httpsProxy: ofAllPrograms(
    confidential(
      'HTTPS_PROXY',
      'none',
      'The same for `https:` addresses, which are nearly all: feeds, registries (RDAP), AbuseIPDB, CAPTCHA providers and the keys of auth providers.',
      readProxy,
    ),
  ),
  noProxy: ofAllPrograms(
    setting(
      'NO_PROXY',
      'none',
      'What is reached without a proxy, separated by commas: names with all names below them, addresses, CIDR blocks, each name or address with a port if only that port is meant; `*` is everything. This machine itself always is.',
      readNoProxy,
    ),
  ),
  abuseIpDbKey: confidential(
    'GATEHOUSE_ABUSEIPDB_KEY',
    'off',
    'API key for AbuseIPDB, which is then asked about each signup’s IP; `off` does not ask it.',
    (text = 'off') => {
      // No other can be sent in a header: every question would fail, and only a metric would say so.
      if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be a key of plain characters, or `off`');
      return text === 'off' ? null : text;
    },
  ),
  abuseIpDbUrl: webAddress(
    'GATEHOUSE_ABUSEIPDB_URL',
    ABUSEIPDB,
    'Address of AbuseIPDB’s check endpoint, API version 2.',
  ),
  dnsblIp: setting(
    'GATEHOUSE_DNSBL_IP',
    'off',
    'DNS blocklists to ask about each signup’s IP: zones, separated by commas; `off` asks none.',
    readZones,
  ),
  dnsblDomain: setting(
    'GATEHOUSE_DNSBL_DOMAIN',
    'off',
    'DNS blocklists to ask about each signup’s email domain: zones, separated by commas; `off` asks none.',
    readZones,
  ),
  logLevel: setting(
    'GATEHOUSE_LOG_LEVEL',
    'info',
    `Lowest level to log: ${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. \`debug\` logs every request.`,
    (text = 'info') => oneOf(text, LOG_LEVELS),
  ),
  accessLog: setting(
    'GATEHOUSE_ACCESS_LOG',
    'off',
    '`on` logs one line for each answered request: method, route, status, time, account, first characters of the key. It has no personal data, and costs some throughput. [Its members](monitoring.md#access-log).',
    (text = 'off') => oneOf(text, ['on', 'off']) === 'on',
  ),
  appealDays: setting(
    'GATEHOUSE_APPEAL_DAYS',
    '90',
    'How long an [appeal](mistakes.md#appeals) is kept, 1 to 3650 days. `off` turns appeals off: no links are made, and no page takes what people write.',
    (text = '90') => readIntegerOrOff(text, 1, 3_650),
  ),
  challengeMinutes: setting(
    'GATEHOUSE_CHALLENGE_MINUTES',
    'off',
    'How long a challenged visitor has to pass [your check](challenges.md), 1 to 1440 minutes: the answer of a challenged signup then carries a token. `off`: no tokens; the `request_id` does the same for 30 minutes.',
    (text = 'off') => readIntegerOrOff(text, 1, 1_440),
  ),
  proofWork: setting(
    'GATEHOUSE_PROOF_WORK',
    '1',
    'Work of a [proof of work](challenges.md#proof-of-work) compared with the table there, 0.1 to 10.',
    (text = '1') => readFactor(text),
  ),
  turnstileSecret: captchaSecret('GATEHOUSE_TURNSTILE_SECRET', 'Cloudflare Turnstile'),
  turnstileUrl: webAddress('GATEHOUSE_TURNSTILE_URL', TURNSTILE, 'Where Turnstile verifies responses.'),
  hcaptchaSecret: captchaSecret('GATEHOUSE_HCAPTCHA_SECRET', 'hCaptcha'),
  hcaptchaUrl: webAddress('GATEHOUSE_HCAPTCHA_URL', HCAPTCHA, 'Where hCaptcha verifies responses.'),
  recaptchaSecret: captchaSecret('GATEHOUSE_RECAPTCHA_SECRET', 'reCAPTCHA'),
  recaptchaUrl: webAddress('GATEHOUSE_RECAPTCHA_URL', RECAPTCHA, 'Where reCAPTCHA verifies responses.'),
  recaptchaMinScore: setting(
    'GATEHOUSE_RECAPTCHA_MIN_SCORE',
    '0.5',
    'The lowest score of reCAPTCHA v3 that passes, 0 to 1. Version 2 gives no score.',
    (text = '0.5') => readShare(text),
  ),
  feedFlips: setting(
    'GATEHOUSE_FEED_FLIPS',
    '1%',
    'If an update of a [feed](feeds.md#an-update-waits-for-you) changes more verdicts than this, it waits for a person. A share of the signups of the last seven days, such as `1%` (25 signups are always allowed), or a number of signups, such as `200`; `off` uses every update that passes the checks.',
    (text = '1%') => readFlipLimit(text),
  ),
  recallDays: setting(
    'GATEHOUSE_RECALL_DAYS',
    '30',
    'Days of signups that [recall](recall.md) judges again each night with what is known now, 1 to 365; `off` switches it off.',
    (text = '30') => readIntegerOrOff(text, 1, 365),
  ),
  recallHour: setting(
    'GATEHOUSE_RECALL_HOUR',
    '4',
    'Hour of each account’s own clock at which recall begins, 0 to 23.',
    (text = '4') => readInteger(text, 0, 23),
  ),
  storeEmails: setting(
    'GATEHOUSE_STORE_EMAILS',
    'off',
    'Store full addresses with the assessments (`on`), or only the domain, a keyed hash and a masked form (`off`).',
    (text = 'off') => readSwitch(text),
  ),
  trustProxy: setting(
    'GATEHOUSE_TRUST_PROXY',
    'off',
    'Whose `X-Forwarded-*` headers to believe: `off` (nobody’s), `on` (anybody’s), a number of proxies, or addresses and ranges separated by commas. [What the proxy must do](install.md#behind-a-proxy). The `ip` of a signup always comes from the body of the request.',
    (text = 'off') => {
      if (text === 'on' || text === 'off') return text === 'on';
      if (/^\d{1,2}$/.test(text)) return Number(text);
      if (!text.split(',').every((part) => isRange(part.trim())))
        throw new Error('must be `off`, `on`, a number of hops, or IP addresses and ranges');
      return text;
    },
  ),
  webhooksPrivate: setting(
    'GATEHOUSE_WEBHOOKS_PRIVATE',
    'off',
    'Whether [webhooks](webhooks.md), and connections to [providers of accounts](take-back.md), may lead to private addresses, to any port, and without TLS (`on`), or to public servers by HTTPS on port 443 alone (`off`).',
    (text = 'off') => readSwitch(text),
  ),
  smtpServer: confidential(
    'GATEHOUSE_SMTP_URL',
    'off',
    'Mail server for [notifications by e-mail](webhooks.md#e-mail): `smtp://user:password@host:587` with STARTTLS, `smtps://…:465` with TLS, `smtp://host:25?tls=off` without. `off` sends no mail.',
    readSmtpUrl,
  ),
  smtpFrom: setting(
    'GATEHOUSE_SMTP_FROM',
    'none',
    'Sender of these messages: `Gatehouse <gatehouse@shop.example>` or an address alone. Needed with `GATEHOUSE_SMTP_URL`.',
    (text = 'none') => {
      if (text === 'none') return null;
      if (!/^(?:[^<>@\p{C}]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text))
        throw new Error('must be an address, or a name with an address in angle brackets');
      return text;
    },
  ),
  publicUrl: setting(
    'GATEHOUSE_PUBLIC_URL',
    'none',
    'Address where people reach the dashboard: `https://gatehouse.example.com`. It is used in set-up and invite links, and is needed if a proxy changes the `Host` header. With `https:`, cookies and HSTS are set [for TLS](install.md#behind-a-proxy).',
    (text = 'none') => {
      if (text === 'none') return null;
      if (!isHttpUrl(text) || new URL(text).pathname !== '/')
        throw new Error('must be an http or https URL without a path');
      return new URL(text).origin;
    },
  ),
  ...BACKUP_SETTINGS,
  ...OIDC_SETTINGS,
} as const;

function captchaSecret(name: string, provider: string): Setting<string | null> {
  const meaning = `Secret key of ${provider}: its responses can then [redeem a challenge](challenges.md#captcha). \`off\` refuses them.`;
  return confidential(name, 'off', meaning, (text = 'off') => {
    if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('must be a secret of plain characters, or `off`');
    return text === 'off' ? null : text;
  });
}

function webAddress(name: string, fallback: string, meaning: string): Setting<string> {
  return setting(name, fallback, meaning, (text = fallback) => {
    if (!isHttpUrl(text)) throw new Error('must be an http or https URL');
    return text;
  });
}
