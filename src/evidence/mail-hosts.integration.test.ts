import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../test/support/dns-server.ts';
import { until } from '../../test/support/expectations.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import type { TextCache } from '../model/text-cache.ts';
import type { HostDecisionEffect } from './mail-host-decisions.ts';
import type { Association } from './mail-host-facts.ts';
import { createMailHosts, type MailHosts, type MailHostsOptions } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';
import { createDnsClient, type DnsClient } from './sources/dns-client.ts';

/** Each has another owner. */
const LISTED = [
  'mailinator.com',
  'yopmail.com',
  'guerrillamail.com',
  'trashmail.com',
  'sharklasers.com',
  'maildrop.cc',
  'getnada.com',
  '10minutemail.com',
  'temp-mail.org',
  'dispostable.com',
];
const BAD = 'mx.bad-harbour.com';
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

let intel: Intel;
let dns: TestDnsServer;
let client: DnsClient;
let texts: Map<string, { text: string; expiresAt: number }>;
let decisions: HostDecisionEffect[];
let now: number;
let hosts: MailHosts;

beforeAll(async () => {
  intel = await openSnapshot(BASELINE_FILE);
});

beforeEach(async () => {
  dns = await startDnsServer();
  dns.fallback = {};
  client = createDnsClient({ servers: [dns.address], deadlineMs: 150 });
  texts = new Map();
  decisions = [];
  now = 1_000 * DAY_MS;
  hosts = open();
});

afterEach(async () => {
  await hosts.close();
  client.close();
  await dns.close();
});

/** The texts of one process, or texts that other nodes write too. */
const ownTexts = () => createMemoryTexts(texts);
const sharedTexts = () => createMemoryTexts(texts, true);

function open(options: Partial<MailHostsOptions> = {}): MailHosts {
  return createMailHosts({
    minListed: 3,
    client,
    texts: ownTexts(),
    clock: () => now,
    decisions: {
      hostDecisionsVersion: async () => decisions.length,
      hostDecisionsSince: async (version) => decisions.slice(version),
    },
    ...options,
  });
}

interface SightingOptions {
  readonly host?: string | readonly string[];
  readonly account?: string;
  readonly ageDays?: number;
}

function see(
  domain: string,
  { host = BAD, account = 'acme', ageDays = -1 }: SightingOptions = {},
): Association {
  const known = intel.domain(domain);
  return hosts.associate({ account, domain, known, hosts: [host].flat(), ageDays }, intel);
}

const flags = (domain: string, options?: SightingOptions) => see(domain, options).disposableHost.name !== '';

/** Two accounts see the same listed domains: enough for every account. */
function teach(count = 3, options: SightingOptions = {}): void {
  for (const domain of LISTED.slice(0, count))
    for (const account of ['acme', 'bolt']) see(domain, { account, ...options });
}

/** One account sees them, on two days. */
function teachAlone(count: number, options: SightingOptions = {}): void {
  for (const domain of LISTED.slice(0, count)) see(domain, options);
  now += DAY_MS;
  for (const domain of LISTED.slice(0, count)) see(domain, { ...options });
}

describe('a mail host that serves listed domains', () => {
  it('flags an unlisted domain for every account, and gives the host and the number of listed domains', () => {
    teach(3);
    for (const account of ['acme', 'bolt', 'never seen']) {
      expect(see('fresh-harbour.com', { account })).toEqual({
        relay: false,
        disposableHost: { name: BAD, matched: '*.bad-harbour.com', serves: 3 },
        vouch: '',
        hits: [{ fact: 'disposable', source: 'mail-host', entry: '*.bad-harbour.com' }],
      });
    }
  });

  it('flags nothing for fewer listed domains, and counts sub-domains of a domain once', () => {
    teach(2);
    for (const domain of ['a.mailinator.com', 'b.mailinator.com'])
      for (const account of ['acme', 'bolt']) see(domain, { account });
    expect(flags('fresh-harbour.com')).toBe(false);
  });

  it('is flagged under every name below its owner’s domain', () => {
    for (const [at, domain] of LISTED.slice(0, 3).entries())
      for (const account of ['acme', 'bolt']) see(domain, { account, host: `mx${at}.bad-harbour.com` });
    expect(flags('fresh-harbour.com', { host: 'mx7.bad-harbour.com' })).toBe(true);
  });

  it('does not affect tenants of a suffix that strangers share', () => {
    for (const [at, domain] of LISTED.slice(0, 6).entries())
      for (const account of ['acme', 'bolt']) see(domain, { account, host: `mx.t${at}.ddns.net` });
    expect(flags('fresh-harbour.com', { host: 'mx.another.ddns.net' })).toBe(false);
  });

  it('is flagged at once if its name is below a listed domain', () => {
    expect(see('fresh-harbour.com', { host: 'mx.mailinator.com' }).disposableHost).toEqual({
      name: 'mx.mailinator.com',
      matched: 'mailinator.com',
      serves: 0,
    });
  });

  it('flags neither a consumer provider nor a relay', () => {
    teach();
    expect(flags('duck.com')).toBe(false);
    expect(flags('gmail.com')).toBe(false);
  });

  it('flags nothing when learning is off', () => {
    hosts = open({ minListed: null });
    teach();
    expect(flags('fresh-harbour.com')).toBe(false);
    expect(see('own-harbour.com', { host: 'mx1.simplelogin.co' }).relay).toBe(true);
  });
});

describe('one account alone', () => {
  it('flags nothing for other accounts, however much it saw', () => {
    teachAlone(10);
    expect(flags('fresh-harbour.com', { account: 'bolt' })).toBe(false);
  });

  it('flags a host for itself after five listed domains on two days', () => {
    teachAlone(5);
    expect(flags('fresh-harbour.com')).toBe(true);
  });

  it.each([
    ['four listed domains', () => teachAlone(4)],
    ['ten within one day', () => LISTED.forEach((domain) => void see(domain))],
  ])('does not flag after %s', (_name, learn) => {
    learn();
    expect(flags('fresh-harbour.com')).toBe(false);
  });

  it('clears nothing for other accounts', () => {
    teach(3);
    for (let at = 0; at < 20; at += 1)
      see(`own-${at}-harbour.com`, { account: 'evil', ageDays: 4 * YEAR_DAYS });
    expect(flags('fresh-harbour.com', { account: 'evil' })).toBe(false);
    expect(flags('fresh-harbour.com')).toBe(true);
  });

  it('does not add to the few listed domains that another account saw', () => {
    teachAlone(10, { account: 'evil' });
    for (const domain of LISTED.slice(0, 2)) see(domain, { account: 'bolt' });
    expect(flags('fresh-harbour.com', { account: 'acme' })).toBe(false);
  });
});

describe('ordinary domains', () => {
  it('do not clear a host only because they came first: the numbers decide', () => {
    see('old-harbour.com', { account: 'acme' });
    see('old-harbour.com', { account: 'bolt' });
    teach(3);
    expect(flags('fresh-harbour.com')).toBe(false);
    teach(4);
    expect(flags('fresh-harbour.com')).toBe(true);
  });

  it('clear a host if two accounts saw them, and they are more than a quarter of the listed ones', () => {
    teach(7);
    expect(flags('fresh-harbour.com', { account: 'new' })).toBe(true);
    for (const domain of ['one-harbour.com', 'two-harbour.com'])
      for (const account of ['acme', 'bolt']) see(domain, { account, ageDays: 4 * YEAR_DAYS });
    expect(flags('fresh-harbour.com', { account: 'new' })).toBe(false);
  });

  it('of unknown age do not count once the host is flagged, so that nobody can clear it with new domains', () => {
    teach(3);
    for (let at = 0; at < 30; at += 1) {
      const account = at % 2 === 0 ? 'acme' : 'bolt';
      expect(see(`fresh-${at}-harbour.com`, { account }).disposableHost.serves).toBe(3);
    }
  });

  it.each([
    ['of this month', 'young-harbour.com', 3],
    ['below a suffix that is handed out to strangers', 'mine.ddns.net', -1],
  ])('%s do not count', (_name, domain, ageDays) => {
    for (const account of ['acme', 'bolt']) see(domain, { account, ageDays });
    teach(3);
    expect(flags('fresh-harbour.com')).toBe(true);
  });

  it('do not count for a host that they list behind a clean one', () => {
    teach(3);
    const mine = ['mx.own-harbour.com', BAD];
    for (const account of ['acme', 'bolt']) {
      see('own-harbour.com', { account, host: mine[0] as string, ageDays: YEAR_DAYS });
      see('second-harbour.com', { account, host: mine, ageDays: YEAR_DAYS });
    }
    expect(flags('fresh-harbour.com')).toBe(true);
  });

  it('keep the host of an unrelated party unflagged, even if two bought domains point to it', () => {
    const bystander = 'mx.kind-harbour.com';
    for (const domain of ['bakery-harbour.com', 'school-harbour.com', 'band-harbour.com'])
      see(domain, { host: bystander, account: 'acme' });
    teach(2, { host: bystander });
    expect(flags('tailor-harbour.com', { host: bystander })).toBe(false);
    teach(10, { host: bystander });
    expect(flags('tailor-harbour.com', { host: bystander, account: 'acme' })).toBe(false);
  });
});

describe('a listed domain', () => {
  it('teaches nothing about unrelated hosts that it lists behind its own', () => {
    for (const [at, domain] of LISTED.entries())
      for (const account of ['acme', 'bolt'])
        see(domain, { account, host: [`mx${at}.own-harbour.com`, 'mx.kind-harbour.com'] });
    expect(flags('tailor-harbour.com', { host: 'mx.kind-harbour.com' })).toBe(false);
  });

  it('does not count any more after its lists removed it', () => {
    teach(3);
    const known = { ...intel.domain(LISTED[0] as string), disposable: false, disputed: true };
    hosts.associate(
      { account: 'acme', domain: LISTED[0] as string, known, hosts: [BAD], ageDays: -1 },
      intel,
    );
    expect(flags('fresh-harbour.com')).toBe(false);
  });
});

describe('a host that strangers share', () => {
  it.each([
    'aspmx.l.google.com',
    'fresh-harbour-com.mail.protection.outlook.com',
    'mx.zoho.eu',
    'mx.yandex.net',
    'mail.protonmail.ch',
    'route1.mx.cloudflare.net',
    'eforward1.registrar-servers.com',
    'mxa.mailgun.org',
    'inbound-smtp.eu-west-1.amazonaws.com',
    'eu-smtp-inbound-1.mimecast.com',
    'mx0a-00000001.pphosted.com',
    'mx.seznam.cz',
  ])('%s flags nothing', (host) => {
    teach(10, { host });
    expect(flags('fresh-harbour.com', { host })).toBe(false);
  });

  it.each(['mx1.simplelogin.co', 'mail2.anonaddy.me', 'mx2.improvmx.com', 'mx1.forwardemail.net'])(
    '%s belongs to a relay: its domains are relays and never associated',
    (host) => {
      teach(4, { host });
      const { relay, disposableHost, hits } = see('fresh-harbour.com', { host });
      expect({ relay, name: disposableHost.name }).toEqual({ relay: true, name: '' });
      expect(hits).toEqual([
        { fact: 'relay', source: 'relay-mx', entry: host.split('.').slice(1).join('.') },
      ]);
    },
  );
});

describe('the addresses of a host', () => {
  const known = (host: string) => until(() => texts.has(`mail-host-address:${host}`));
  /** Listed domains with their own names for the host. */
  async function teachAddress(count: number, zone: { a?: string[]; aaaa?: string[] }): Promise<void> {
    const names = LISTED.slice(0, count).map((domain, at) => [domain, `mx.own-${at}.net`] as const);
    for (const [, host] of names) dns.set(host, zone);
    for (const [domain, host] of names)
      for (const account of ['acme', 'bolt']) see(domain, { account, host });
    await Promise.all(names.map(([, host]) => known(host)));
  }

  it.each([
    [{ a: ['198.51.100.7'] }, '198.51.100.7'],
    [{ aaaa: ['2001:DB8::7'] }, '2001:db8::7'],
  ])('flag a domain that has its own name for the host: %j', async (zone, matched) => {
    await teachAddress(4, zone);
    dns.set('mx.fresh-harbour.com', zone);
    await until(
      () => see('fresh-harbour.com', { host: 'mx.fresh-harbour.com' }).disposableHost.matched === matched,
    );
  });

  it('do not flag customers of an unrelated host that use its own name', async () => {
    const bystander = { host: 'mx.kind-harbour.com' };
    dns.set(bystander.host, { a: ['198.51.100.7'] });
    see('bakery-harbour.com', bystander);
    await known(bystander.host);
    await teachAddress(10, { a: ['198.51.100.7'] });
    for (const account of ['acme', 'bolt', 'new'])
      for (const domain of ['bakery-harbour.com', 'tailor-harbour.com'])
        expect(flags(domain, { ...bystander, account })).toBe(false);
  });

  it('are cleared by numbers, like names', async () => {
    const zone = { a: ['198.51.100.7'] };
    for (const domain of ['bakery-harbour.com', 'school-harbour.com']) {
      dns.set(`mx.${domain}`, zone);
      for (const account of ['acme', 'bolt'])
        see(domain, { account, host: `mx.${domain}`, ageDays: YEAR_DAYS });
      await known(`mx.${domain}`);
    }
    await teachAddress(7, zone);
    dns.set('mx.fresh-harbour.com', zone);
    see('fresh-harbour.com', { host: 'mx.fresh-harbour.com' });
    await known('mx.fresh-harbour.com');
    expect(flags('fresh-harbour.com', { host: 'mx.fresh-harbour.com' })).toBe(false);
  });

  it('are ignored if they are special', async () => {
    const zone = { a: ['10.0.0.1'] };
    for (const [at, domain] of LISTED.slice(0, 5).entries()) {
      dns.set(`mx.own-${at}.net`, zone);
      for (const account of ['acme', 'bolt']) see(domain, { account, host: `mx.own-${at}.net` });
      await until(() => dns.queries(`mx.own-${at}.net`) >= 2);
    }
    expect([...texts.keys()].filter((name) => name.includes('10.0.0.1'))).toEqual([]);
  });

  it('are not looked up for hosts that strangers share', async () => {
    see('fresh-harbour.com', { host: 'aspmx.l.google.com' });
    see('fresh-harbour.com', { host: 'mx.lone-harbour.com' });
    await until(() => dns.queries('mx.lone-harbour.com') >= 2);
    expect(dns.queries('aspmx.l.google.com')).toBe(0);
  });

  it('are looked up for a few hosts of an owner, and all its hosts are stored as one', async () => {
    for (let at = 0; at < 100; at += 1) {
      dns.set(`mx${at}.wild-harbour.com`, { a: ['198.51.100.7'] });
      see(`w${at}.wild-harbour.com`, { host: `mx${at}.wild-harbour.com`, ageDays: YEAR_DAYS });
    }
    see('last-harbour.com', { host: 'mx.last-harbour.com' });
    dns.set('mx.last-harbour.com', { a: ['198.51.100.8'] });
    await known('mx.last-harbour.com');
    expect([...texts.keys()].filter((name) => name.includes('wild')).length).toBe(8 + 1);
  });
});

describe('decisions of operators', () => {
  const decide = async (decision: Partial<HostDecisionEffect>) => {
    const whole = { key: '*.bad-harbour.com', generation: 0, neverFlag: false };
    decisions.push({ ...whole, ...decision });
    await hosts.refresh();
  };

  it('let a forgotten host start at zero, in memory and in the cache', async () => {
    teach(3);
    await decide({ generation: 1 });
    expect(flags('fresh-harbour.com')).toBe(false);
    await hosts.close();
    // Written by a node that did not know the decision yet.
    expect(texts.has('host-record:*.bad-harbour.com')).toBe(true);
    hosts = open();
    await hosts.refresh();
    expect(flags('fresh-harbour.com')).toBe(false);
    now += DAY_MS;
    teach(3);
    expect(flags('fresh-harbour.com')).toBe(true);
  });

  it('stop that a host is flagged or causes flags, until the decision is withdrawn', async () => {
    teach(3);
    await decide({ neverFlag: true });
    expect(flags('fresh-harbour.com')).toBe(false);
    expect(flags('other-harbour.com', { host: ['mx.own-harbour.com', BAD] })).toBe(false);
    await decide({ neverFlag: false });
    expect(flags('fresh-harbour.com')).toBe(true);
  });
});

it('learns and flags nothing while DNS is distrusted, and continues with its old counts afterwards', async () => {
  teach();
  await hosts.close();
  let distrusted = true;
  hosts = open({ distrusted: () => distrusted });
  await hosts.load([BAD], intel);
  expect(flags('fresh-harbour.com')).toBe(false);
  for (const account of ['acme', 'bolt']) see('ordinary-harbour.com', { account, ageDays: YEAR_DAYS });
  distrusted = false;
  expect(flags('fresh-harbour.com')).toBe(true);
});

describe('memory', () => {
  it('survives a restart for half a year, and domains that are seen again do not expire', async () => {
    teach();
    await hosts.close();
    hosts = open();
    await hosts.load([BAD], intel);
    expect(flags('fresh-harbour.com')).toBe(true);
    now += 100 * DAY_MS;
    teach();
    now += 100 * DAY_MS;
    expect(flags('fresh-harbour.com')).toBe(true);
    now += 81 * DAY_MS;
    expect(flags('fresh-harbour.com')).toBe(false);
    await hosts.close();
    hosts = open();
    await hosts.load([BAD], intel);
    expect(flags('fresh-harbour.com')).toBe(false);
  });

  it('is not written each time that something is seen again', async () => {
    teach(10);
    await hosts.close();
    const written: string[] = [];
    const own = ownTexts();
    const counted: TextCache = {
      ...own,
      set(name, text, expiresAt) {
        if (name.startsWith('host-record:')) written.push(name);
        own.set(name, text, expiresAt);
      },
    };
    hosts = open({ texts: counted });
    await hosts.load([BAD], intel);
    now += DAY_MS;
    for (const domain of LISTED)
      for (const account of ['acme', 'bolt']) {
        see(domain, { account });
        now += 1_000;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    expect(written).toEqual([]);
    now += DAY_MS / 4;
    see('new-harbour.com', { account: 'acme', host: 'mx.elsewhere-harbour.com' });
    await until(() => written.includes('host-record:*.bad-harbour.com'));
    expect(texts.get('host-record:*.bad-harbour.com')?.expiresAt).toBeGreaterThanOrEqual(1_181 * DAY_MS);
  });

  it('expires half a year after the last sighting', async () => {
    teach();
    await hosts.close();
    const kept = texts.get('host-record:*.bad-harbour.com');
    expect(kept?.expiresAt).toBe(now + 180 * DAY_MS);
  });

  it('ignores a text that cannot be read', async () => {
    for (const text of ['{', 'null', '{"domains":7}']) {
      texts.set('host-record:*.bad-harbour.com', { text, expiresAt: now + DAY_MS });
      hosts = open();
      await hosts.load([BAD], intel);
      expect(flags('fresh-harbour.com')).toBe(false);
      await hosts.close();
    }
  });

  it('is read once, before a domain is judged', async () => {
    teach();
    await hosts.close();
    hosts = open({ texts: sharedTexts() });
    await hosts.load([BAD], intel);
    expect(flags('fresh-harbour.com')).toBe(true);
    expect(hosts.load([BAD], intel)).toBeUndefined();
  });

  describe('of several nodes', () => {
    const NAME = `host-record:*.bad-harbour.com`;
    const hasAll = (...accounts: string[]) =>
      accounts.every((account) => texts.get(NAME)?.text.includes(`"${account}"`) === true);
    const seeAs = (node: MailHosts, account: string) => {
      hosts = node;
      for (const domain of LISTED.slice(0, 3)) see(domain, { account });
    };

    it('is not overwritten by a node that cannot read it, and is written once it can', async () => {
      teach();
      await hosts.close();
      let isDown = true;
      const node = open({
        texts: {
          ...sharedTexts(),
          get: async (name) => (isDown ? undefined : texts.get(name)),
          async read(name) {
            if (isDown) throw new Error('the database is away');
            return texts.get(name);
          },
        },
      });
      await node.load([BAD], intel);
      seeAs(node, 'late');
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(hasAll('acme', 'bolt')).toBe(true);
      expect(hasAll('late')).toBe(false);
      isDown = false;
      await until(() => hasAll('acme', 'bolt', 'late'));
    });

    it('is complete even if both nodes read it before either wrote', async () => {
      const readSlowly = async (name: string) => {
        const kept = texts.get(name);
        await new Promise((resolve) => setTimeout(resolve, 80));
        return kept;
      };
      const slow = { ...sharedTexts(), get: readSlowly, read: readSlowly };
      const nodes = [open({ texts: slow }), open({ texts: slow })] as const;
      for (const node of nodes) await node.load([BAD], intel);
      for (const [at, node] of nodes.entries()) seeAs(node, `account ${at}`);
      await until(() => hasAll('account 0', 'account 1'));
      for (const node of nodes) await node.close();
    });

    it('is read again before the last write', async () => {
      const nodes = [open({ texts: sharedTexts() }), open({ texts: sharedTexts() })] as const;
      for (const node of nodes) await node.load([BAD], intel);
      seeAs(nodes[0], 'first');
      await nodes[0].close();
      seeAs(nodes[1], 'second');
      await nodes[1].close();
      expect(hasAll('first', 'second')).toBe(true);
    });

    it('does not delay a caller if the host is known already', async () => {
      let answer: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        answer = resolve;
      });
      let isSlow = false;
      const wait = async (name: string) => {
        if (isSlow) await gate;
        return texts.get(name);
      };
      hosts = open({ texts: { ...sharedTexts(), get: wait, read: wait } });
      await hosts.load([BAD], intel);
      now += 60_001;
      isSlow = true;
      expect(hosts.load([BAD], intel)).toBeUndefined();
      expect(hosts.load([BAD], intel)).toBeUndefined();
      answer();
    });
  });

  it('of two nodes is merged: neither overwrites the other, and both learn within a minute', async () => {
    const nodes = [open({ texts: sharedTexts() }), open({ texts: sharedTexts() })] as const;
    for (const node of nodes) await node.load([BAD], intel);
    for (const [at, node] of nodes.entries()) {
      hosts = node;
      for (const domain of LISTED.slice(0, 3)) see(domain, { account: `account ${at}` });
      await until(() => texts.get('host-record:*.bad-harbour.com')?.text.includes(`account ${at}`) === true);
    }
    for (const node of nodes) {
      hosts = node;
      now += 60_001;
      await node.load([BAD], intel);
      await until(() => flags('fresh-harbour.com', { account: 'new' }));
    }
    for (const node of nodes) await node.close();
  });
});

it('never flags for other accounts what only one account saw, in any order', async () => {
  const places = fc.constantFrom('mx.a-harbour.com', 'mx.b-harbour.com', 'mx2.b-harbour.com');
  const domains = fc.constantFrom(...LISTED, 'one-harbour.com', 'two-harbour.com', 'outlook.com');
  const days = fc.integer({ min: 0, max: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(domains, places, days), { maxLength: 40 }), async (sightings) => {
      texts.clear();
      hosts = open();
      for (const [domain, host, wait] of sightings) {
        now += wait * DAY_MS;
        see(domain, { host, account: 'evil', ageDays: YEAR_DAYS });
        expect(flags('fresh-harbour.com', { host, account: 'acme', ageDays: 1 })).toBe(false);
      }
      await hosts.close();
    }),
  );
});
