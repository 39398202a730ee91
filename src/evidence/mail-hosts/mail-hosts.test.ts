import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../../test/support/dns-server.ts';
import { until } from '../../../test/support/expectations.ts';
import { BASELINE_FILE } from '../../intel/baseline.ts';
import type { Intel } from '../../intel/intel.ts';
import { openSnapshot } from '../../intel/snapshot.ts';
import { createDnsClient, type DnsClient } from '../dns-client.ts';
import type { Texts } from '../rdap/durable-ages.ts';
import { type Association, createMailHosts, type MailHosts } from './mail-hosts.ts';

const LISTED = ['mailinator.com', 'yopmail.com', 'guerrillamail.com', 'trashmail.com'];
const BAD = 'mx.bad-harbour.com';

let intel: Intel;
let dns: TestDnsServer;
let client: DnsClient;
let texts: Map<string, { text: string; expiresAt: number }>;
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
  now = 1_000_000;
  hosts = open();
});

afterEach(async () => {
  hosts.close();
  client.close();
  await dns.close();
});

function open(least: number | null = 2): MailHosts {
  const store: Texts = {
    get: (name) => texts.get(name),
    put: (name, text, expiresAt) => texts.set(name, { text, expiresAt }),
  };
  return createMailHosts({ least, client, texts: store, clock: () => now });
}

function see(domain: string, host: string | string[] = BAD, ageDays = -1): Association {
  const known = intel.domain(domain);
  return hosts.associate({ domain, known, hosts: [host].flat(), ageDays }, intel);
}

function teach(count = 2, host: string | string[] = BAD): void {
  for (const domain of LISTED.slice(0, count)) see(domain, host);
}

/** The same texts, but each has to be waited for. */
function openFar(): MailHosts {
  const far: Texts = {
    get: async (name) => texts.get(name),
    put: (name, text, expiresAt) => texts.set(name, { text, expiresAt }),
  };
  return createMailHosts({ least: 2, client, texts: far, clock: () => now });
}

describe('texts that are far away', () => {
  it('are read before a domain is judged by them, once', async () => {
    teach();
    hosts.close();
    hosts = openFar();
    await hosts.arriving([BAD], intel);
    expect(associated('fresh-harbour.com')).toBe(true);
    expect(hosts.arriving([BAD], intel)).toBeUndefined();
  });

  it('lose nothing that is learned while they are on their way', async () => {
    see(LISTED[0] as string);
    hosts.close();
    hosts = openFar();
    see(LISTED[1] as string);
    hosts.close();
    await hosts.arriving([BAD], intel);
    hosts.close();
    hosts = open();
    expect(associated('fresh-harbour.com')).toBe(true);
  });
});

const associated = (domain: string, host?: string | string[]) => see(domain, host).disposableHost.name !== '';

describe('a mail host that serves listed domains', () => {
  it('convicts an unlisted one, and names itself and their number', () => {
    teach(3);
    expect(see('fresh-harbour.com')).toEqual({
      relay: false,
      disposableHost: { name: BAD, matched: BAD, serves: 3 },
      ordinary: false,
      hits: [{ fact: 'disposable', source: 'mail-host', entry: BAD }],
    });
  });

  it('convicts nobody while it serves fewer than the least number, sub-domains of one counted once', () => {
    for (const domain of ['mailinator.com', 'a.mailinator.com', 'b.mailinator.com']) see(domain);
    expect(associated('fresh-harbour.com')).toBe(false);
  });

  it('is not cleared by a domain that names it behind a clean host of its own', () => {
    teach();
    expect(associated('own-harbour.com', 'mx.own-harbour.com')).toBe(false);
    see('second-harbour.com', ['mx.own-harbour.com', BAD]);
    expect(associated('fresh-harbour.com')).toBe(true);
  });

  it('is cleared by one ordinary domain, before or after', () => {
    see('old-harbour.com');
    teach();
    expect(associated('fresh-harbour.com')).toBe(false);
    teach(2, 'mx.other-harbour.com');
    expect(associated('fresh-harbour.com', 'mx.other-harbour.com')).toBe(true);
    see('outlook.com', 'mx.other-harbour.com');
    expect(associated('fresh-harbour.com', 'mx.other-harbour.com')).toBe(false);
  });

  it('is neither cleared nor convicted further by what it only associates', () => {
    teach();
    for (let count = 0; count < 30; count += 1) {
      expect(see(`fresh-${count}-harbour.com`).disposableHost.serves).toBe(2);
    }
  });

  it('is not cleared by a domain of this month', () => {
    see('young-harbour.com', BAD, 3);
    teach();
    expect(associated('fresh-harbour.com')).toBe(true);
  });

  it('makes neither a consumer provider nor a relay disposable', () => {
    teach();
    expect(associated('duck.com')).toBe(false);
    expect(associated('gmail.com')).toBe(false);
  });

  it('convicts by its owner, whatever the host is called', () => {
    see('mailinator.com', 'mx1.bad-harbour.com');
    see('yopmail.com', 'mx2.bad-harbour.com');
    expect(see('fresh-harbour.com', 'mx7.bad-harbour.com').disposableHost).toEqual({
      name: 'mx7.bad-harbour.com',
      matched: '*.bad-harbour.com',
      serves: 2,
    });
  });

  it('speaks not for the tenants of a suffix that strangers share', () => {
    see('mailinator.com', 'mx.one.ddns.net');
    see('yopmail.com', 'mx.two.ddns.net');
    expect(associated('fresh-harbour.com', 'mx.three.ddns.net')).toBe(false);
  });

  it('convicts at once below a listed domain', () => {
    expect(see('fresh-harbour.com', 'mx.mailinator.com').disposableHost).toEqual({
      name: 'mx.mailinator.com',
      matched: 'mailinator.com',
      serves: 0,
    });
  });

  it('is not asked at all when learning is off', () => {
    hosts.close();
    hosts = open(null);
    teach();
    expect(associated('fresh-harbour.com')).toBe(false);
    expect(see('own-harbour.com', 'mx1.simplelogin.co').relay).toBe(true);
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
  ])('%s convicts nobody', (host) => {
    teach(4, host);
    expect(associated('fresh-harbour.com', host)).toBe(false);
  });

  it.each(['mx1.simplelogin.co', 'mail2.anonaddy.me', 'mx2.improvmx.com', 'mx1.forwardemail.net'])(
    '%s is a relay’s: its domains are relays and never associated',
    (host) => {
      teach(4, host);
      const { relay, disposableHost, hits } = see('fresh-harbour.com', host);
      expect({ relay, name: disposableHost.name }).toEqual({ relay: true, name: '' });
      expect(hits).toEqual([
        { fact: 'relay', source: 'relay-mx', entry: host.split('.').slice(1).join('.') },
      ]);
    },
  );
});

describe('the addresses of a host', () => {
  const settled = (host: string) => until(() => dns.queries(host) >= 2);

  it.each([
    [{ a: ['198.51.100.7'] }, '198.51.100.7'],
    [{ aaaa: ['2001:DB8::7'] }, '2001:db8::7'],
  ])('convict under another name: %j', async (zone, matched) => {
    for (const host of ['mx.one-harbour.com', 'mx.two-harbour.com', 'mx.three-harbour.com'])
      dns.set(host, zone);
    see('mailinator.com', 'mx.one-harbour.com');
    see('yopmail.com', 'mx.two-harbour.com');
    await Promise.all([settled('mx.one-harbour.com'), settled('mx.two-harbour.com')]);
    await until(() => see('fresh-harbour.com', 'mx.three-harbour.com').disposableHost.matched === matched);
  });

  it('are cleared by an ordinary domain of any host there, and lead nowhere when they are special', async () => {
    for (const [at, address] of ['198.51.100.8', '10.0.0.1'].entries()) {
      const [one, two, three, four] = [1, 2, 3, 4].map((number) => `mx.n${number}-harbour-${at}.com`);
      for (const host of [one, two, three, four]) dns.set(host as string, { a: [address] });
      if (at === 0) see('ordinary-harbour.com', four);
      see('mailinator.com', one);
      see('yopmail.com', two);
      see(`fresh-harbour-${at}.com`, three);
      await Promise.all([one, two, three].map((host) => settled(host as string)));
      await until(() => texts.has(`mail-host:${three}`));
      expect(associated(`fresher-harbour-${at}.com`, three)).toBe(false);
    }
  });

  it('are not asked for where strangers share the host', async () => {
    see('fresh-harbour.com', 'aspmx.l.google.com');
    see('fresh-harbour.com', 'mx.lone-harbour.com');
    await settled('mx.lone-harbour.com');
    expect(dns.queries('aspmx.l.google.com')).toBe(0);
  });
});

it('learns nothing and concludes nothing while DNS is distrusted, and goes on where it was', async () => {
  teach();
  hosts.close();
  let distrusted = true;
  hosts = createMailHosts({
    least: 2,
    client,
    texts: {
      get: (name) => texts.get(name),
      put: (name, text, expiresAt) => texts.set(name, { text, expiresAt }),
    },
    distrusted: () => distrusted,
    clock: () => now,
  });
  expect(associated('fresh-harbour.com')).toBe(false);
  see('ordinary-harbour.com');
  distrusted = false;
  expect(associated('fresh-harbour.com')).toBe(true);
});

describe('memory', () => {
  it('outlives the process, convictions and clearances alike, for half a year', () => {
    teach();
    see('old-harbour.com', 'mx.good-harbour.com');
    hosts.close();
    hosts = open();
    expect(associated('fresh-harbour.com')).toBe(true);
    teach(3, 'mx.good-harbour.com');
    expect(associated('fresh-harbour.com', 'mx.good-harbour.com')).toBe(false);
    hosts.close();
    hosts = open();
    now += 181 * 86_400_000;
    expect(associated('fresh-harbour.com')).toBe(false);
  });

  it('takes a text that cannot be read for none', () => {
    for (const text of ['{', 'null', '{"listed":7}'])
      texts.set(`mail-host:${BAD}`, { text, expiresAt: now + 1_000 });
    expect(associated('fresh-harbour.com')).toBe(false);
  });
});

it('never associates through a host that an ordinary domain was seen at, in whatever order', () => {
  const places = fc.constantFrom('mx.a-harbour.com', 'mx.b-harbour.com', 'mx2.b-harbour.com');
  const domains = fc.constantFrom(...LISTED, 'one-harbour.com', 'two-harbour.com', 'outlook.com');
  fc.assert(
    fc.property(fc.array(fc.tuple(domains, places), { maxLength: 30 }), (sightings) => {
      hosts = open();
      texts.clear();
      const ordinary = new Set<string>();
      for (const [domain, host] of sightings) {
        const { name, matched } = see(domain, host).disposableHost;
        expect(ordinary.has(matched)).toBe(false);
        const counted = domain === 'outlook.com' || (name === '' && !LISTED.includes(domain));
        if (counted) for (const key of [host, `*.${host.split('.').slice(1).join('.')}`]) ordinary.add(key);
      }
      hosts.close();
    }),
  );
});
