import { getServers } from 'node:dns';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, unknownSettings } from './config.ts';
import { readRedisUrl } from './redis-url.ts';
import type { Setting } from './setting.ts';
import { ConfigError } from './setting-source.ts';
import { LOG_LEVELS, SETTINGS } from './settings.ts';

const SETTINGS_PAGE = resolve(import.meta.dirname, '../../docs/settings.md');
const settings: Setting[] = Object.values(SETTINGS);
const BOOTSTRAP_RULE =
  'must be `sk_live_` and 27 to 64 random letters and digits, as `echo sk_live_$(openssl rand -hex 24)` makes it, or `none`';
const failure = (environment: NodeJS.ProcessEnv): unknown => {
  try {
    return readConfig(environment);
  } catch (error) {
    return error;
  }
};

describe('the settings', () => {
  it('name the port conflict when metrics use the port of the service', () => {
    const line =
      'GATEHOUSE_METRICS_PORT is the same port as PORT (8080): set another one, or unset it to serve the metrics on PORT';
    expect(failure({ GATEHOUSE_METRICS_PORT: '8080' })).toEqual(new ConfigError(line));
    expect(readConfig({ PORT: '0', GATEHOUSE_METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
  });

  it('have defaults, so that an empty environment is enough', () => {
    expect(Object.keys(readConfig({}))).toEqual(Object.keys(SETTINGS));
    expect(Object.values(readConfig({}))).not.toContain(undefined);
  });

  // Later settings are not added here: “document the actual default” checks their defaults.
  it('keep the defaults that installations rely on', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      metricsPort: null,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      databaseUrl: null,
      redisServers: null,
      secret: null,
      bootstrapKey: null,
      retentionDays: 365,
      retentionPersonalDays: 90,
      retentionMailboxDays: 90,
      keepsErasedMailboxes: false,
      retentionMonths: null,
      dnsServers: getServers().map((server) => expect.stringContaining(server)),
      canaryDomains: ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'],
      rdapBootstrapUrl: 'https://data.iana.org/rdap/dns.json',
      feeds: true,
      feedsFile: null,
      velocityMegabytes: 256,
      disposableMxMin: 3,
      abuseIpDbKey: null,
      abuseIpDbUrl: 'https://api.abuseipdb.com/api/v2/check',
      dnsblIp: [],
      dnsblDomain: [],
      logLevel: 'info',
      storeEmails: false,
      feedFlips: { share: 0.01 },
      recallDays: 30,
      recallHour: 4,
      trustProxy: false,
      publicUrl: null,
      webhooksPrivate: false,
    });
  });

  it('keep the names that other tools rely on', () => {
    const names = settings.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const released = [
      'DATABASE_URL',
      'GATEHOUSE_ABUSEIPDB_KEY',
      'GATEHOUSE_ABUSEIPDB_URL',
      'GATEHOUSE_BOOTSTRAP_KEY',
      'GATEHOUSE_CANARY_DOMAINS',
      'GATEHOUSE_DATA_DIR',
      'GATEHOUSE_DISPOSABLE_MX_MIN',
      'GATEHOUSE_DNSBL_DOMAIN',
      'GATEHOUSE_DNSBL_IP',
      'GATEHOUSE_DNS_SERVERS',
      'GATEHOUSE_FEEDS',
      'GATEHOUSE_FEEDS_FILE',
      'GATEHOUSE_LOG_LEVEL',
      'GATEHOUSE_METRICS_PORT',
      'GATEHOUSE_PUBLIC_URL',
      'GATEHOUSE_RDAP_BOOTSTRAP_URL',
      'GATEHOUSE_RETENTION_DAYS',
      'GATEHOUSE_RETENTION_MONTHS',
      'GATEHOUSE_RETENTION_PERSONAL_DAYS',
      'GATEHOUSE_SECRET',
      'GATEHOUSE_STORE_EMAILS',
      'GATEHOUSE_TRUST_PROXY',
      'GATEHOUSE_VELOCITY_MB',
      'GATEHOUSE_WEBHOOKS_PRIVATE',
      'HOST',
      'PORT',
      'REDIS_URL',
    ];
    expect(names).toEqual(expect.arrayContaining(released));
  });

  it('document the actual default', () => {
    const shown = settings.filter(({ name }) => name !== 'GATEHOUSE_DNS_SERVERS');
    for (const { name, default: fallback } of shown)
      expect(readConfig({ [name]: fallback })).toEqual(readConfig({}));
  });

  it('treat an empty variable as unset, and ignore white space around a value', () => {
    const blank = Object.fromEntries(settings.map(({ name }) => [name, ' ']));
    expect(readConfig(blank)).toEqual(readConfig({}));
    expect(readConfig({ PORT: ' 0 ' }).port).toBe(0);
  });

  it('are frozen once they are read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

describe('a valid value', () => {
  it.each<[string, string, Partial<ReturnType<typeof readConfig>>]>([
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '::', { host: '::' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['GATEHOUSE_DATA_DIR', '/var/lib/gatehouse', { dataDir: '/var/lib/gatehouse' }],
    ['GATEHOUSE_DATA_DIR', 'here', { dataDir: resolve('here') }],
    ['DATABASE_URL', 'postgres://u:p@db/gatehouse', { databaseUrl: 'postgres://u:p@db/gatehouse' }],
    ['DATABASE_URL', 'postgresql://db/g', { databaseUrl: 'postgresql://db/g' }],
    ['GATEHOUSE_SECRET', 'Ab'.repeat(32), { secret: Buffer.alloc(32, 0xab) }],
    [
      'GATEHOUSE_BOOTSTRAP_KEY',
      'sk_live_0123456789abcdefGHIJKLMNOPQ',
      { bootstrapKey: 'sk_live_0123456789abcdefGHIJKLMNOPQ' },
    ],
    ['GATEHOUSE_DNS_SERVERS', '192.0.2.1', { dnsServers: ['192.0.2.1:53'] }],
    [
      'GATEHOUSE_DNS_SERVERS',
      '192.0.2.1:5353, [2001:db8::1]:54,2001:db8::2,[2001:db8::3]',
      { dnsServers: ['192.0.2.1:5353', '[2001:db8::1]:54', '[2001:db8::2]:53', '[2001:db8::3]:53'] },
    ],
    [
      'GATEHOUSE_RDAP_BOOTSTRAP_URL',
      'http://127.0.0.1:1/dns.json',
      { rdapBootstrapUrl: 'http://127.0.0.1:1/dns.json' },
    ],
    ['GATEHOUSE_RDAP_BOOTSTRAP_URL', 'off', { rdapBootstrapUrl: null }],
    ['GATEHOUSE_VELOCITY_MB', '16', { velocityMegabytes: 16 }],
    ['GATEHOUSE_DISPOSABLE_MX_MIN', '5', { disposableMxMin: 5 }],
    ['GATEHOUSE_DISPOSABLE_MX_MIN', 'off', { disposableMxMin: null }],
    ['GATEHOUSE_ABUSEIPDB_KEY', 'a1b2', { abuseIpDbKey: 'a1b2' }],
    ['GATEHOUSE_ABUSEIPDB_URL', 'http://127.0.0.1:1/check', { abuseIpDbUrl: 'http://127.0.0.1:1/check' }],
    [
      'GATEHOUSE_DNSBL_IP',
      'Zen.example.org., bl.example.net',
      { dnsblIp: ['zen.example.org', 'bl.example.net'] },
    ],
    ['GATEHOUSE_DNSBL_DOMAIN', 'dbl.example.org', { dnsblDomain: ['dbl.example.org'] }],
    ...LOG_LEVELS.map(
      (level) => ['GATEHOUSE_LOG_LEVEL', level, { logLevel: level }] as [string, string, object],
    ),
    ['GATEHOUSE_FEEDS', 'off', { feeds: false }],
    ['GATEHOUSE_FEEDS_FILE', 'package.json', { feedsFile: resolve('package.json') }],
    ['GATEHOUSE_STORE_EMAILS', 'on', { storeEmails: true }],
    ['GATEHOUSE_PROOF_WORK', '0.1', { proofWork: 0.1 }],
    ['GATEHOUSE_PROOF_WORK', '2.5', { proofWork: 2.5 }],
    ['GATEHOUSE_PROOF_WORK', '10', { proofWork: 10 }],
    ['GATEHOUSE_FEED_FLIPS', 'off', { feedFlips: null }],
    ['GATEHOUSE_FEED_FLIPS', '2.5%', { feedFlips: { share: 0.025 } }],
    ['GATEHOUSE_FEED_FLIPS', '0', { feedFlips: { signups: 0 } }],
    ['GATEHOUSE_RECALL_DAYS', 'off', { recallDays: null }],
    ['GATEHOUSE_RECALL_DAYS', '7', { recallDays: 7 }],
    ['GATEHOUSE_RECALL_HOUR', '0', { recallHour: 0 }],
    ['GATEHOUSE_WEBHOOKS_PRIVATE', 'on', { webhooksPrivate: true }],
    ['GATEHOUSE_TRUST_PROXY', 'on', { trustProxy: true }],
    ['GATEHOUSE_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['GATEHOUSE_TRUST_PROXY', '10.0.0.0/8, fd00::/8', { trustProxy: '10.0.0.0/8, fd00::/8' }],
  ])('%s=%s is taken', (name, text, expected) => {
    expect(readConfig({ [name]: text })).toMatchObject(expected);
  });
});

describe('an invalid value', () => {
  it.each([
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'must be a whole number from 0 to 65535'],
    [
      'HOST',
      'example.com',
      'must be an IP address of this machine, or `unix:` and the absolute path of a socket',
    ],
    [
      'HOST',
      '127.0.0.1:80',
      'must be an IP address of this machine, or `unix:` and the absolute path of a socket',
    ],
    ['GATEHOUSE_DATA_DIR', 'README.md', 'must be a folder'],
    ['GATEHOUSE_DNS_SERVERS', 'dns.example.com', 'must be a list like 192.0.2.1:53,[2001:db8::1]:53'],
    ['GATEHOUSE_DNS_SERVERS', '192.0.2.1,', 'must be a list like 192.0.2.1:53,[2001:db8::1]:53'],
    ['GATEHOUSE_DNS_SERVERS', '192.0.2.1:65536', 'must be a list like 192.0.2.1:53,[2001:db8::1]:53'],
    ['GATEHOUSE_DNS_SERVERS', '192.0.2.1:0', 'must be a list like 192.0.2.1:53,[2001:db8::1]:53'],
    ['GATEHOUSE_DNS_SERVERS', '[192.0.2.1]:53', 'must be a list like 192.0.2.1:53,[2001:db8::1]:53'],
    ['GATEHOUSE_RDAP_BOOTSTRAP_URL', 'data.iana.org', 'must be an http or https URL, or `off`'],
    ['GATEHOUSE_RDAP_BOOTSTRAP_URL', 'file:///etc/hosts', 'must be an http or https URL, or `off`'],
    ['GATEHOUSE_VELOCITY_MB', '15', 'must be a whole number from 16 to 16384'],
    ['GATEHOUSE_VELOCITY_MB', '16385', 'must be a whole number from 16 to 16384'],
    ['GATEHOUSE_DISPOSABLE_MX_MIN', '0', 'must be a whole number from 1 to 20, or `off`'],
    ['GATEHOUSE_DISPOSABLE_MX_MIN', '21', 'must be a whole number from 1 to 20, or `off`'],
    ['GATEHOUSE_ABUSEIPDB_URL', 'off', 'must be an http or https URL'],
    [
      'GATEHOUSE_CANARY_DOMAINS',
      'gmail.com,yahoo.com',
      'must be three to ten domains like gmail.com,outlook.com,yahoo.com, or `off`',
    ],
    [
      'GATEHOUSE_CANARY_DOMAINS',
      'gmail.com,localhost,a b',
      'must be three to ten domains like gmail.com,outlook.com,yahoo.com, or `off`',
    ],
    ['GATEHOUSE_DNSBL_IP', 'zen', 'must be a list like dnsbl.example.org,bl.example.net, or `off`'],
    ['GATEHOUSE_DNSBL_DOMAIN', 'a.b,', 'must be a list like dnsbl.example.org,bl.example.net, or `off`'],
    ['GATEHOUSE_LOG_LEVEL', 'loud', `must be one of ${LOG_LEVELS.join(', ')}`],
    ['GATEHOUSE_LOG_LEVEL', 'INFO', `must be one of ${LOG_LEVELS.join(', ')}`],
    ...['0', '0.05', '10.5', '11', '-1', 'off'].map(
      (text) => ['GATEHOUSE_PROOF_WORK', text, 'must be a number from 0.1 to 10'] as [string, string, string],
    ),
    ['GATEHOUSE_FEEDS', 'yes', 'must be one of on, off'],
    ['GATEHOUSE_FEEDS_FILE', 'no/such.json', 'must be a JSON file that can be read (ENOENT)'],
    ['GATEHOUSE_FEEDS_FILE', 'docs', 'must be a JSON file that can be read (EISDIR)'],
    ['GATEHOUSE_FEEDS_FILE', 'README.md', 'must be a JSON file that can be read (its content is not JSON)'],
    ['GATEHOUSE_STORE_EMAILS', 'yes', 'must be one of on, off'],
    ['GATEHOUSE_TRUST_PROXY', 'true', 'must be `off`, `on`, a number of hops, or IP addresses and ranges'],
    [
      'GATEHOUSE_TRUST_PROXY',
      '10.0.0.0/8,proxy',
      'must be `off`, `on`, a number of hops, or IP addresses and ranges',
    ],
    [
      'GATEHOUSE_TRUST_PROXY',
      '10.0.0.0/99',
      'must be `off`, `on`, a number of hops, or IP addresses and ranges',
    ],
    [
      'GATEHOUSE_TRUST_PROXY',
      '10.0.0.1,fe80::1%eth0',
      'must be `off`, `on`, a number of hops, or IP addresses and ranges',
    ],
  ])('%s=%s is refused in one line that names it', (name, text, rule) => {
    const error = failure({ [name]: text });
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toBe(`${name} ${rule}, not "${text}"`);
  });

  it.each([
    ['GATEHOUSE_ABUSEIPDB_KEY', 'hunter2\nhunter2', 'must be a key of plain characters, or `off`'],
    ['GATEHOUSE_ABUSEIPDB_KEY', 'hunter2–', 'must be a key of plain characters, or `off`'],
    [
      'DATABASE_URL',
      'mysql://user:hunter2@db',
      'must be a URL like postgres://user:password@host/database, or postgres:///database?host=/folder/of/the/socket',
    ],
    [
      'DATABASE_URL',
      'hunter2',
      'must be a URL like postgres://user:password@host/database, or postgres:///database?host=/folder/of/the/socket',
    ],
    ['REDIS_URL', 'redis://hunter2/1,redis://a', 'must use database 0 for a cluster'],
    ...[
      'hunter2',
      `sk_test_${'hunter2GATEhouse'.repeat(2)}`,
      `sk_live_${'hunter2'.repeat(3)}`,
      `sk_live_${'hunter2'.repeat(5)}`,
      `sk_live_${'hunter2-GATEhouse'.repeat(2)}`,
    ].map((text) => ['GATEHOUSE_BOOTSTRAP_KEY', text, BOOTSTRAP_RULE] as [string, string, string]),
    ['GATEHOUSE_SECRET', 'hunter2', 'must be 64 hexadecimal digits, as `openssl rand -hex 32` makes them'],
  ])('%s is refused without showing the secret that it may contain', (name, text, rule) => {
    expect((failure({ [name]: text }) as Error).message).toBe(`${name} ${rule}`);
  });

  it.each(['0', '1.5', '1201', 'all'])('months of retention are refused: %s', (text) => {
    const environment = { GATEHOUSE_RETENTION_MONTHS: text, DATABASE_URL: 'postgres://db/g' };
    expect((failure(environment) as Error).message).toContain('must be a whole number from 1 to 1200');
  });

  it.each(['0', '1.5', '36501', 'all'])('days of retention are refused: %s', (text) => {
    const message = (failure({ GATEHOUSE_RETENTION_DAYS: text }) as Error).message;
    expect(message).toContain('must be a whole number from 1 to 36500');
  });

  it('an ambiguous retention is refused', () => {
    const both = { GATEHOUSE_RETENTION_DAYS: '90', GATEHOUSE_RETENTION_MONTHS: '3' };
    expect((failure({ ...both, DATABASE_URL: 'postgres://db/g' }) as Error).message).toContain('unset one');
    expect((failure({ GATEHOUSE_RETENTION_MONTHS: '3' }) as Error).message).toContain('needs DATABASE_URL');
    const environment = { GATEHOUSE_RETENTION_MONTHS: '3', DATABASE_URL: 'postgres://db/g' };
    expect(readConfig(environment).retentionMonths).toBe(3);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
  let files = 0;
  const fileOf = (text: string) => {
    files += 1;
    const file = join(folder, `secret-${files}`);
    writeFileSync(file, text);
    return file;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each<[string, string, Partial<ReturnType<typeof readConfig>>]>([
    ['DATABASE_URL', 'postgres://u:p@db/gatehouse', { databaseUrl: 'postgres://u:p@db/gatehouse' }],
    ['REDIS_URL', 'redis://a/3', { redisServers: readRedisUrl('redis://a/3') }],
    ['GATEHOUSE_SECRET', 'ab'.repeat(32), { secret: Buffer.alloc(32, 0xab) }],
    ['GATEHOUSE_ABUSEIPDB_KEY', 'a1b2', { abuseIpDbKey: 'a1b2' }],
    [
      'GATEHOUSE_BOOTSTRAP_KEY',
      `sk_live_${'0123456789abcdef'.repeat(3)}`,
      { bootstrapKey: `sk_live_${'0123456789abcdef'.repeat(3)}` },
    ],
  ])('%s_FILE gives the setting, without the newline at the end', (name, text, expected) => {
    expect(readConfig({ [`${name}_FILE`]: fileOf(`${text}\n`), [name]: '' })).toMatchObject(expected);
  });

  it('exists for every secret setting, and for no other setting', () => {
    for (const { name, secret } of settings)
      expect(unknownSettings({ [`${name}_FILE`]: 'x' }).length === 0, name).toBe(
        secret || !name.startsWith('GATEHOUSE_') || name === 'GATEHOUSE_FEEDS',
      );
    expect(() => readConfig({ PORT_FILE: 'no/such' })).not.toThrow();
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    [
      'beside the variable',
      { DATABASE_URL: 'hunter2', DATABASE_URL_FILE: 'x' },
      'DATABASE_URL and DATABASE_URL_FILE are both set: set one of them',
    ],
    [
      'that is not there',
      { GATEHOUSE_SECRET_FILE: '/no/such' },
      'GATEHOUSE_SECRET_FILE must be a file that can be read (ENOENT): /no/such',
    ],
    [
      'that is a folder',
      { REDIS_URL_FILE: folder },
      `REDIS_URL_FILE must be a file that can be read (EISDIR): ${folder}`,
    ],
    [
      'that is empty',
      { DATABASE_URL_FILE: fileOf('\n') },
      `DATABASE_URL_FILE names an empty file: ${folder}/secret-${files}`,
    ],
  ])('%s is refused in one line', (_what, environment, line) => {
    const error = failure(environment);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toBe(line);
  });

  it('with other content is refused without showing it', () => {
    expect((failure({ GATEHOUSE_SECRET_FILE: fileOf('hunter2') }) as Error).message).toBe(
      'the content of GATEHOUSE_SECRET_FILE must be 64 hexadecimal digits, as `openssl rand -hex 32` makes them',
    );
  });
});

describe('docs/settings.md', () => {
  const rows = existsSync(SETTINGS_PAGE) ? readFileSync(SETTINGS_PAGE, 'utf8').split('\n') : [];

  it.each(settings)('has the row of $name, as settings.ts has it', ({ name, default: fallback, meaning }) => {
    expect(rows).toContain(`| \`${name}\` | \`${fallback}\` | ${meaning} |`);
  });

  it('names the file of every secret setting', () => {
    for (const { name } of settings.filter(({ secret }) => secret))
      expect(rows.join('\n')).toContain(`\`${name}_FILE\``);
  });

  it('has no row for a setting that does not exist', () => {
    const documented = rows
      .map((row) => /^\| `((?:GATEHOUSE_\w+|[A-Z_]+))` \|/.exec(row)?.[1])
      .filter(Boolean);
    expect(documented.toSorted()).toEqual(settings.map(({ name }) => name).toSorted());
  });
});

describe('the proxies', () => {
  const proxies = (environment: NodeJS.ProcessEnv) => {
    const { httpProxy, httpsProxy, noProxy } = readConfig(environment);
    return { httpProxy, httpsProxy, noProxy };
  };

  it('are read in capitals or in lower case, which counts if both are set', () => {
    expect(proxies({ HTTP_PROXY: 'http://a.example:1', HTTPS_PROXY: 'http://b.example:2' })).toEqual({
      httpProxy: 'http://a.example:1/',
      httpsProxy: 'http://b.example:2/',
      noProxy: [],
    });
    const both = {
      HTTP_PROXY: 'http://a.example:1',
      http_proxy: 'http://c.example:3',
      no_proxy: 'D.example',
    };
    expect(proxies(both)).toEqual({
      httpProxy: 'http://c.example:3/',
      httpsProxy: null,
      noProxy: ['d.example'],
    });
    expect(proxies({ HTTPS_PROXY: '', https_proxy: ' ', NO_PROXY: 'none' }).httpsProxy).toBeNull();
  });

  it.each([
    ['proxy.example:3128', 'http://proxy.example:3128/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['http://us%20er:p%40ss@[2001:db8::1]:8080/', 'http://us%20er:p%40ss@[2001:db8::1]:8080/'],
    ['10.0.0.1:3128', 'http://10.0.0.1:3128/'],
  ])('may be %s', (text, url) => {
    expect(proxies({ HTTPS_PROXY: text }).httpsProxy).toBe(url);
  });

  it.each([
    'socks5://proxy.example:1080',
    'http://proxy.example/path',
    'http://proxy.example/?a=b',
    'http://',
    'http://proxy.example:99999',
    'http://user:100%@proxy.example:3128',
    'ftp://topsecret@proxy.example',
  ])('are refused in one line that does not show their password: %s', (text) => {
    const line =
      'must be the URL of an HTTP proxy, like http://proxy.example.com:3128 (SOCKS is not supported), or `none`';
    expect(failure({ HTTPS_PROXY: text })).toEqual(new ConfigError(`HTTPS_PROXY ${line}`));
    expect(failure({ http_proxy: text })).toEqual(new ConfigError(`http_proxy ${line}`));
  });

  it('leave out what NO_PROXY names', () => {
    const text =
      '*, localhost  .Example.com,*.internal.example,10.0.0.0/8,fd00::/8,::1,[::1]:80,10.1.1.1:81,host_a:8443';
    expect(proxies({ NO_PROXY: text }).noProxy).toEqual(text.toLowerCase().split(/[\s,]+/));
  });

  it.each([
    ['10.*', '10.0.0.0/8'],
    ['172.16.*', '172.16.0.0/16'],
    ['192.168.1.*', '192.168.1.0/24'],
    ['10.*.*.*', '10.0.0.0/8'],
    ['[fd00::]/8', 'fd00::/8'],
  ])('take %s of NO_PROXY for the block that it means', (entry, block) => {
    expect(proxies({ NO_PROXY: `b.example,${entry}` }).noProxy).toEqual(['b.example', block]);
  });

  describe.each([
    'http://a.example',
    'a..b',
    '10.0.0.0/33',
    'a.example:0',
    'a.example:70000',
    '[a]',
    '192.300.*',
    'a/b',
    // No URL has these as its host.
    'fe80::1%eth0',
    '[fe80::1%eth0]',
    '[fe80::1%eth0]:80',
    'fe80::1%eth0/64',
    '10.',
    '10.1',
    '010.0.0.1',
    '0x7f.1',
    'a.0xff',
    '2130706433',
  ])('a NO_PROXY with %s', (entry) => {
    const text = `b.example,${entry}`;

    it.each(['HTTP_PROXY', 'HTTPS_PROXY', 'https_proxy'])('is refused beside %s', (name) => {
      expect(String(failure({ NO_PROXY: text, [name]: 'http://p.example:1' }))).toMatch(
        /^ConfigError: NO_PROXY must be a list like [^\n]+$/,
      );
    });

    it('stops nothing where there is no proxy: others need the variable too', () => {
      expect(proxies({ NO_PROXY: text }).noProxy).toEqual([]);
      expect(proxies({ no_proxy: text, HTTPS_PROXY: 'none' }).noProxy).toEqual([]);
    });
  });
});
