import { describe, expect, it } from 'vitest';
import { parseIp } from '../address/ip.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import type { Category, EntryKind, SourceInfo } from '../model/source.ts';
import { checkDomain, checkNetwork } from './check.ts';
import { compileSnapshot } from './compile.ts';
import { compileWithFeeds } from './compile-feeds.ts';
import type { AppliedFeed, DepartedEntry, Feed } from './feed.ts';
import { NetworkClaims } from './network-claims.ts';
import { readSnapshot, readVerifiedSnapshot } from './snapshot.ts';
import type { SnapshotContent } from './snapshot-content.ts';

const NOW = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;
const ip = (text: string): IpAddress => parseIp(text) as IpAddress;

function source(id: string, category: Category, entryKind: EntryKind, vouched = false): SourceInfo {
  const origin = id.startsWith('own-') ? `gatehouse:${id}` : `npm:${id}`;
  return { id, category, entryKind, vouched, origin, licence: 'none', version: '1', entries: 1 };
}

const BASE_SOURCES = [
  source('package-disposable', 'disposable', 'domain'),
  source('own-disposable', 'disposable', 'domain'),
  source('own-relays', 'relay', 'domain'),
  source('own-consumer', 'consumer', 'domain', true),
  source('providers', 'consumer', 'domain'),
  source('hosts', 'datacenter', 'asn'),
  source('own-corporate', 'corporate', 'asn'),
  source('bundled-vpn', 'vpn', 'range'),
];
const bit = (id: string): bigint => 1n << BigInt(BASE_SOURCES.findIndex((entry) => entry.id === id));

function networks(): NetworkClaims {
  const claims = new NetworkClaims();
  claims.addBlock('20.0.0.0/8', claims.label({ country: 'CH', asn: 64500 }));
  claims.addBlock('21.0.0.0/8', claims.label({ country: 'DE', asn: 64501 }));
  claims.addBlock('22.0.0.0/8', claims.label({ country: 'FR', asn: 64502 }));
  claims.addBlock('23.5.0.0/16', claims.label({ source: 7 }));
  claims.addBlock('20.9.9.0/24', claims.label({ special: true }));
  claims.addBlock('2a00::/16', claims.label({ country: 'NL', asn: 64500 }));
  return claims;
}

const knowledge: SnapshotContent = {
  sources: BASE_SOURCES,
  domains: new Map([
    ['throwaway.com', bit('package-disposable')],
    ['guarded.com', bit('package-disposable')],
    ['ours.com', bit('own-disposable')],
    ['relay.com', bit('own-relays')],
    ['mail.com', bit('own-consumer')],
    ['old.mail.com', bit('package-disposable')],
    ['provider.com', bit('providers')],
    ['shared.com', bit('package-disposable')],
  ]),
  wildcards: new Map(),
  institutions: new Set(['edu', 'gov.uk']),
  isShared: (name) => name === 'shared.com',
  topLevels: new Set(['com', 'org']),
  roles: new Set(['admin']),
  networks: networks(),
  asNames: new Map([
    [64500, 'Hosts'],
    [64501, 'Desks'],
    [64502, 'Access'],
  ]),
  asnClaims: new Map([
    [64500, bit('hosts')],
    [64501, bit('own-corporate')],
  ]),
};
const BASE = compileSnapshot(knowledge);

function applied(
  feed: Pick<Feed, 'id' | 'category' | 'entryKind'> & Partial<Feed>,
  entries: readonly string[],
  rest: { levels?: readonly number[]; departed?: readonly DepartedEntry[] } = {},
): AppliedFeed {
  const { levels, departed = [] } = rest;
  return {
    feed: {
      url: `https://feeds.example/${feed.id}`,
      format: 'addresses',
      licence: 'none',
      everyHours: 1,
      enabled: true,
      ...feed,
    },
    version: `v-${feed.id}`,
    fetchedAt: NOW,
    parsed: { entries, rows: entries.length, errors: 0, ...(levels === undefined ? {} : { levels }) },
    departed,
  };
}

const range = (
  id: string,
  category: Category,
  entries: readonly string[],
  abuseWeight?: number,
): AppliedFeed =>
  applied(
    { id, category, entryKind: 'range', ...(abuseWeight === undefined ? {} : { abuseWeight }) },
    entries,
  );
const domains = (id: string, category: Category, entries: readonly string[]): AppliedFeed =>
  applied({ id, category, entryKind: 'domain', format: 'domains' }, entries);
const compile = (...feeds: AppliedFeed[]) => readSnapshot(compileWithFeeds(BASE.bytes, feeds, NOW).bytes);

describe('the compiled snapshot', () => {
  it('without feeds answers like the baseline, but has an id of its own', () => {
    const base = readSnapshot(BASE.bytes);
    const again = compile();
    expect(again.id).not.toBe(base.id);
    for (const [name] of knowledge.domains) expect(again.domain(name)).toEqual(base.domain(name));
    expect(again.domain('x.shared.com').disposable).toBe(false);
    for (const text of ['20.1.1.1', '20.9.9.9', '21.1.1.1', '23.5.1.1', '1.1.1.1', '2a00::1', '2b00::1'])
      expect(again.network(ip(text))).toEqual(base.network(ip(text)));
    expect(again.network(ip('23.5.1.1')).hits[0]?.entry).toBe('23.5.0.0/16');
    expect([again.isTopLevel('org'), again.isRole('admin')]).toEqual([true, true]);
  });

  it('does not apply an entry for a shared suffix to names below it, unless a list means them', () => {
    const intel = compile(
      domains('bad', 'disposable', ['eu.org', 'evil.eu.org', '*.myshopify.com', 'afraid.org', '*.plain.com']),
      domains('suffixes', 'shared_suffix', ['afraid.org']),
    );
    const factsOf = (name: string) => [intel.domain(name).disposable, intel.domain(name).sharedSuffix];
    expect(factsOf('honest.eu.org')).toEqual([false, 'eu.org']);
    expect(factsOf('mail.evil.eu.org')).toEqual([true, 'eu.org']);
    expect(factsOf('honest.afraid.org')).toEqual([false, 'afraid.org']);
    expect(factsOf('a.b.myshopify.com')).toEqual([true, 'myshopify.com']);
    expect(factsOf('a.plain.com')).toEqual([true, '']);
    expect(checkDomain(intel, 'a.myshopify.com')).toMatchObject([
      { entry: 'myshopify.com', effective: true },
    ]);
  });

  it('disputes a listing of a popular domain, unless two independent lists or our own agree', () => {
    const popular = domains('ranking', 'popular', ['throwaway.com', 'ours.com', 'plain.com', 'twice.com']);
    const intel = compile(
      popular,
      domains('first', 'disposable', ['twice.com']),
      domains('second', 'disposable', ['twice.com']),
    );
    expect(intel.domain('mail.throwaway.com')).toMatchObject({ disposable: false, disputed: true });
    expect(intel.domain('throwaway.com').hits.map(({ fact, source }) => [fact, source])).toEqual([
      ['disposable', 'package-disposable'],
      ['popular', 'ranking'],
    ]);
    for (const name of ['ours.com', 'twice.com']) {
      expect(intel.domain(name), name).toMatchObject({ disposable: true, disputed: false });
    }
    expect(intel.domain('plain.com')).toMatchObject({ disposable: false, disputed: false, hits: [] });
    expect(checkDomain(intel, 'throwaway.com')).toMatchObject([
      { source: 'package-disposable', effective: false, because: 'disputed by what else is known about it' },
      { source: 'ranking', effective: true },
    ]);
  });

  it('has the same bytes for the same feeds and time', () => {
    const feeds = [
      range('vpns', 'vpn', ['20.1.0.0/16', '20.1.2.0/24']),
      domains('bad', 'disposable', ['a.com']),
    ];
    const first = compileWithFeeds(BASE.bytes, feeds, NOW);
    const second = compileWithFeeds(BASE.bytes, feeds, NOW);
    expect(first.id).toBe(second.id);
    expect(Buffer.from(first.bytes).equals(second.bytes)).toBe(true);
    expect(readVerifiedSnapshot(first.bytes).id).toBe(first.id);
    expect(readVerifiedSnapshot(first.bytes).sources.at(-1)).toMatchObject({
      id: 'bad',
      version: 'v-bad',
      url: 'https://feeds.example/bad',
      fetchedAt: NOW,
      entries: 1,
    });
  });

  it('keeps an overridden name, so that its claims can be evaluated again', () => {
    const base = readSnapshot(BASE.bytes);
    expect(base.domain('old.mail.com').disposable).toBe(false);
    expect(base.domainClaims('old.mail.com').map(({ name }) => name)).toEqual(['old.mail.com', 'mail.com']);
  });

  it('refuses a damaged base, and more sources than fit in a mask', () => {
    const damaged = BASE.bytes.slice();
    damaged[damaged.length - 9] = (damaged[damaged.length - 9] as number) ^ 1;
    expect(() => compileWithFeeds(damaged, [], NOW)).toThrow('damaged');
    const many = Array.from({ length: 57 }, (_, at) => range(`f${at}`, 'vpn', []));
    expect(() => compileWithFeeds(BASE.bytes, many, NOW)).toThrow('65 sources');
  });
});

describe('a hit', () => {
  it('names the narrowest block of its own source, with the version', () => {
    const intel = compile(
      range('wide', 'vpn', ['20.1.0.0/16', '20.1.2.0/24', '20.1.2.128/25']),
      range('exits', 'tor', ['20.1.2.3', '2a00:1::/48', '2a00:1::7']),
    );
    const entries = (text: string) =>
      intel.network(ip(text)).hits.map(({ source, entry, version }) => `${source} ${entry} ${version}`);
    expect(entries('20.1.2.3')).toEqual([
      'hosts AS64500 1',
      'wide 20.1.2.0/24 v-wide',
      'exits 20.1.2.3 v-exits',
    ]);
    expect(entries('20.1.2.200')).toEqual(['hosts AS64500 1', 'wide 20.1.2.128/25 v-wide']);
    expect(entries('20.1.3.1')).toEqual(['hosts AS64500 1', 'wide 20.1.0.0/16 v-wide']);
    expect(entries('2a00:1::7')).toContain('exits 2a00:1::7 v-exits');
    expect(entries('2a00:1::8')).toContain('exits 2a00:1::/48 v-exits');
    expect(entries('20.2.0.0')).toEqual(['hosts AS64500 1']);
  });

  it('names the AS of a feed of ASes, and gives nothing for special ranges or unknown networks', () => {
    const hosting = applied({ id: 'asns', category: 'datacenter', entryKind: 'asn' }, [
      'AS64502',
      'AS0',
      'junk',
    ]);
    const intel = compile(hosting, range('vpns', 'vpn', ['20.9.0.0/16', '99.1.0.0/16']));
    expect(intel.network(ip('22.1.1.1')).hits.map(({ entry }) => entry)).toEqual(['AS64502']);
    expect(intel.network(ip('20.9.9.9')).hits).toEqual([]);
    expect(intel.network(ip('20.9.8.1')).listed.vpn).toBe(true);
    expect(intel.network(ip('99.1.1.1'))).toMatchObject({ listed: { vpn: true }, asn: 0 });
    expect(intel.sources.find(({ id }) => id === 'asns')?.entries).toBe(1);
  });
});

describe('precedence of claims', () => {
  it('never counts a privacy relay as Tor, VPN, proxy or hosting, whatever lists say', () => {
    const all = (['tor', 'vpn', 'proxy', 'datacenter'] as const).map((fact) =>
      range(fact, fact, ['20.1.1.0/24']),
    );
    const intel = compile(...all, range('egress', 'relay', ['20.1.1.0/25']));
    const privacyOf = (text: string) => {
      const { tor, vpn, proxy, relay, datacenter } = intel.network(ip(text)).listed;
      return { tor, vpn, proxy, relay, datacenter };
    };
    expect(privacyOf('20.1.1.1')).toEqual({
      tor: false,
      vpn: false,
      proxy: false,
      relay: true,
      datacenter: false,
    });
    expect(privacyOf('20.1.1.200')).toEqual({
      tor: true,
      vpn: true,
      proxy: true,
      relay: false,
      datacenter: true,
    });
  });

  it('never counts a corporate security proxy as anonymizer or hosting, but counts its abuse', () => {
    const intel = compile(
      ...(['tor', 'vpn', 'proxy', 'datacenter'] as const).map((fact) => range(fact, fact, ['21.1.1.0/24'])),
      range('reports', 'abuse', ['21.1.1.1'], 40),
    );
    const known = intel.network(ip('21.1.1.1'));
    expect(known).toMatchObject({
      listed: { tor: false, vpn: false, proxy: false, datacenter: false },
      abuseScore: 40,
    });
    expect(known.hits.map(({ source }) => source)).toEqual(['own-corporate', 'reports']);
  });

  it('never counts relays or providers as disposable or spam', () => {
    const names = ['relay.com', 'x.relay.com', 'mail.com', 'provider.com', 'other.com'];
    const intel = compile(domains('bad', 'disposable', names.slice(0, 3)), domains('spam', 'spam', names));
    for (const name of names.slice(0, 4))
      expect([name, intel.domain(name).disposable, intel.domain(name).listed.spam]).toEqual([
        name,
        false,
        false,
      ]);
    expect(intel.domain('other.com').listed.spam).toBe(true);
  });

  it('follows a list of wrongly reported names, but not against our own list', () => {
    const intel = compile(
      domains('allow', 'not_disposable', ['guarded.com', 'ours.com', 'good.throwaway.com']),
    );
    const disposable = ['guarded.com', 'x.guarded.com', 'ours.com', 'good.throwaway.com', 'throwaway.com'];
    expect(disposable.map((name) => intel.domain(name).disposable)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it('does not hide the entry of a parent for an override without effect', () => {
    const intel = compile(domains('allow', 'not_disposable', ['eu.provider.com', 'nobody.com']));
    expect(intel.domain('eu.provider.com').listed.consumer).toBe(true);
    expect(intel.domain('nobody.com').hits).toEqual([]);
  });
});

describe('the abuse score', () => {
  const score = (...feeds: AppliedFeed[]) => compile(...feeds).network(ip('22.1.1.1')).abuseScore;

  it('increases with each independent list, and with its weight', () => {
    const first = range('one', 'abuse', ['22.1.1.1'], 25);
    const second = range('two', 'abuse', ['22.1.0.0/16'], 40);
    expect(score(first)).toBe(25);
    expect(score(first, second)).toBe(55);
    expect(score(first, second, range('three', 'abuse', ['22.1.1.1'], 40))).toBe(73);
    expect(score(range('drop', 'abuse', ['22.0.0.0/8'], 80))).toBe(80);
  });

  it('counts a source once, with its heaviest listing', () => {
    expect(score(range('one', 'abuse', ['22.1.1.1', '22.1.1.0/24', '22.1.0.0/16'], 30))).toBe(30);
  });

  it('counts a listing with a count as that many listings, but stays below 100', () => {
    const counted = (level: number) =>
      score(
        applied({ id: 'levels', category: 'abuse', entryKind: 'range', abuseWeight: 12 }, ['22.1.1.1'], {
          levels: [level],
        }),
      );
    const scores = [1, 2, 3, 5, 8, 20, 50].map(counted);
    expect(scores).toEqual([12, 23, 32, 47, 64, 90, 90]);
  });

  it('counts a listing of the AS of the address', () => {
    const asns = applied({ id: 'asn-drop', category: 'abuse', entryKind: 'asn', abuseWeight: 75 }, [
      'AS64502',
    ]);
    expect(score(asns)).toBe(75);
    expect(score(asns, range('one', 'abuse', ['22.1.1.1'], 20))).toBe(80);
  });

  it('lets an entry that left its list lose weight, and forgets it', () => {
    const scoreAfter = (days: number, listed: readonly string[] = []) =>
      score(
        applied({ id: 'one', category: 'abuse', entryKind: 'range', abuseWeight: 40 }, listed, {
          departed: [{ entry: '22.1.1.1', level: 1, lastSeen: NOW - days * DAY_MS }],
        }),
      );
    expect([0, 3, 6, 13, 14].map((days) => scoreAfter(days))).toEqual([40, 20, 10, 2, 0]);
    expect(scoreAfter(6, ['22.1.1.1'])).toBe(40);
  });
});

describe('check', () => {
  it('gives every source that lists a name or a parent, and what overrides it', () => {
    const intel = compile(domains('bad', 'disposable', ['eu.mail.com', 'throwaway.com', 'a.throwaway.com']));
    const listingsOf = (name: string) =>
      checkDomain(intel, name).map(({ source, entry, because }) => [source, entry, because]);
    expect(listingsOf('x.eu.mail.com')).toEqual([
      ['bad', 'eu.mail.com', 'a provider that Gatehouse vouches for'],
      ['own-consumer', 'mail.com', ''],
    ]);
    expect(listingsOf('a.throwaway.com')).toEqual([
      ['bad', 'a.throwaway.com', ''],
      ['package-disposable', 'throwaway.com', 'a.throwaway.com is more specific'],
      ['bad', 'throwaway.com', 'a.throwaway.com is more specific'],
    ]);
    expect(listingsOf('x.shared.com')).toEqual([
      [
        'package-disposable',
        'shared.com',
        'strangers share this name: the entry covers only the name itself',
      ],
    ]);
    expect(listingsOf('nothing.org')).toEqual([]);
  });

  it('gives every block around an address, including overridden and departed ones', () => {
    const intel = compile(
      range('vpns', 'vpn', ['20.1.0.0/16', '20.1.1.0/24']),
      range('egress', 'relay', ['20.1.1.0/25']),
      applied({ id: 'gone', category: 'abuse', entryKind: 'range', abuseWeight: 40 }, [], {
        departed: [{ entry: '20.1.1.1', level: 1, lastSeen: NOW - DAY_MS }],
      }),
    );
    const listings = checkNetwork(intel, ip('20.1.1.1'));
    expect(listings.map(({ source, entry, effective }) => [source, entry, effective])).toEqual([
      ['hosts', 'AS64500', false],
      ['vpns', '20.1.1.0/24', false],
      ['vpns', '20.1.0.0/16', false],
      ['egress', '20.1.1.0/25', true],
      ['gone', '20.1.1.1', true],
    ]);
    expect(listings.map(({ because }) => because)).toEqual(['a relay', 'a relay', 'a relay', '', '']);
    expect(listings.filter(({ departed }) => departed).map(({ source }) => source)).toEqual(['gone']);
  });
});
