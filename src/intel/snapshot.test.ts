import { describe, expect, it } from 'vitest';
import { parseIp } from '../address/ip.ts';
import type { IpAddress } from '../model/signup-attempt.ts';
import type { Category, EntryKind, SourceInfo } from '../model/source.ts';
import { compileSnapshot } from './compile.ts';
import { NetworkClaims } from './network-claims.ts';
import { readSnapshot } from './snapshot.ts';
import type { SnapshotContent } from './snapshot-content.ts';

const ip = (text: string): IpAddress => parseIp(text) as IpAddress;

function source(id: string, category: Category, entryKind: EntryKind, vouched = false): SourceInfo {
  return { id, category, entryKind, vouched, origin: 'test', licence: 'none', version: '1', entries: 1 };
}

/** 64 sources, the maximum: the last bit of a mask must work like the first. */
const SOURCES: SourceInfo[] = [
  source('listed', 'disposable', 'domain'),
  source('forwarders', 'relay', 'domain'),
  source('providers', 'consumer', 'domain'),
  source('hosts', 'datacenter', 'asn'),
  source('egress', 'relay', 'range'),
  source('vpns', 'vpn', 'range'),
  ...Array.from({ length: 57 }, (_, at) => source(`spare-${at}`, 'abuse', 'range')),
  source('vouched', 'consumer', 'domain', true),
];

const place = (id: string): number => SOURCES.findIndex((entry) => entry.id === id);
const bit = (id: string): bigint => 1n << BigInt(place(id));

function networks(): NetworkClaims {
  const claims = new NetworkClaims();
  claims.addBlock('9.0.0.0/8', claims.label({ country: 'US' }));
  claims.addBlock('9.9.0.0/16', claims.label({ country: 'CH', asn: 64500 }));
  claims.addBlock('9.9.9.0/24', claims.label({ source: place('vpns'), abuse: 40 }));
  claims.addBlock('9.9.9.64/26', claims.label({ source: place('egress') }));
  claims.addBlock('9.9.9.0/25', claims.label({ source: place('spare-56'), abuse: 70 }));
  claims.addBlock('2a00::/12', claims.label({ country: 'XX', asn: 64501 }));
  claims.addBlock('2a00:1::/32', claims.label({ country: 'NL', source: place('vpns') }));
  claims.addBlock('2a00:1:2::/48', claims.label({ special: true }));
  return claims;
}

function knowledge(): SnapshotContent {
  return {
    sources: SOURCES,
    domains: new Map([
      ['throwaway.example', bit('listed')],
      ['inner.throwaway.example', bit('providers')],
      ['good.throwaway.example', bit('vouched')],
      ['relay.example', bit('forwarders') | bit('listed')],
      ['old.relay.example', bit('listed')],
      ['mail.example', bit('vouched') | bit('listed')],
      ['shared.example', bit('listed')],
    ]),
    wildcards: new Map(),
    institutions: new Set(['edu', 'gov.uk']),
    isShared: (name) => name === 'shared.example',
    topLevels: new Set(['com', 'xn--p1ai']),
    roles: new Set(['admin', 'no.reply']),
    networks: networks(),
    asNames: new Map([
      [64500, 'Zürich "Hosts", Inc.'],
      [64501, ''],
    ]),
    asnClaims: new Map([[64500, bit('hosts')]]),
  };
}

const intel = readSnapshot(compileSnapshot(knowledge()).bytes);

describe('domains', () => {
  it('lets the most specific listed name decide', () => {
    const hits = (name: string) => intel.domain(name).hits.map(({ source, entry }) => [source, entry]);
    expect(hits('a.b.throwaway.example')).toEqual([['listed', 'throwaway.example']]);
    expect(hits('x.inner.throwaway.example')).toEqual([['listed', 'throwaway.example']]);
    expect(hits('x.good.throwaway.example')).toEqual([['vouched', 'good.throwaway.example']]);
    expect(hits('old.relay.example')).toEqual([['forwarders', 'relay.example']]);
    expect(hits('mail.example')).toEqual([['vouched', 'mail.example']]);
  });

  it('matches whole labels only', () => {
    expect(intel.domain('notthrowaway.example').hits).toEqual([]);
    expect(intel.domain('throwaway.example.com').hits).toEqual([]);
    expect(intel.domain('example').hits).toEqual([]);
    expect(intel.domain('').hits).toEqual([]);
  });

  it('applies an entry for a shared suffix only to that exact name', () => {
    expect(intel.domain('shared.example')).toMatchObject({ disposable: false, disputed: true });
    expect(intel.domain('tenant.shared.example').disposable).toBe(false);
  });

  it('knows top-level domains, and roles without their tag', () => {
    expect(['com', 'xn--p1ai', 'test', ''].map(intel.isTopLevel)).toEqual([true, true, false, false]);
    expect(['admin', 'admin+x', 'no.reply', 'administrator', ''].map(intel.isRole)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('networks', () => {
  it('takes country and AS from the most specific range', () => {
    expect(intel.network(ip('9.1.2.3'))).toMatchObject({
      countryCode: 'US',
      country: 'United States',
      asn: 0,
    });
    expect(intel.network(ip('9.9.1.1'))).toMatchObject({
      countryCode: 'CH',
      country: 'Switzerland',
      asn: 64500,
      asName: 'Zürich "Hosts", Inc.',
      listed: { datacenter: true },
      hits: [{ fact: 'datacenter', source: 'hosts', entry: 'AS64500', version: '1' }],
    });
  });

  it('combines overlapping ranges', () => {
    const known = intel.network(ip('9.9.9.1'));
    expect(known).toMatchObject({
      listed: { vpn: true, datacenter: true, relay: false },
      abuseScore: 82,
      countryCode: 'CH',
    });
    expect(known.hits.map(({ source, entry }) => `${source} ${entry}`)).toEqual([
      'hosts AS64500',
      'vpns 9.9.9.0/24',
      'spare-56 9.9.9.0/25',
    ]);
  });

  it('lets a privacy relay override VPN and hosting', () => {
    const known = intel.network(ip('9.9.9.64'));
    expect(known).toMatchObject({ listed: { relay: true, vpn: false, datacenter: false } });
    expect(known.hits.map((hit) => hit.source)).toEqual(['egress', 'spare-56']);
  });

  it('reads IPv6, gives no name to an unknown country, and nothing for special ranges', () => {
    expect(intel.network(ip('2a00:ffff::1'))).toMatchObject({ countryCode: 'XX', country: '', asn: 64501 });
    expect(intel.network(ip('2a00:1::1')).hits[0]?.entry).toBe('2a00:1::/32');
    expect(intel.network(ip('2a00:1:2::1'))).toMatchObject({
      countryCode: '',
      asn: 0,
      listed: { vpn: false },
      hits: [],
    });
    expect(intel.network(ip('1::1'))).toMatchObject({ countryCode: '', asn: 0 });
  });

  it('looks up an address behind NAT64 as itself', () => {
    expect(intel.network(ip('64:ff9b::909:101')).asn).toBe(64500);
  });
});

describe('the file', () => {
  it('is the same for the same knowledge', () => {
    const { id, bytes } = compileSnapshot(knowledge());
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(id).toBe(intel.id);
    expect(Buffer.from(bytes).equals(compileSnapshot(knowledge()).bytes)).toBe(true);
  });

  it('is refused if it is damaged, cut off, foreign or of another format', () => {
    const { bytes } = compileSnapshot(knowledge());
    const changed = (at: number): Uint8Array => {
      const copy = bytes.slice();
      copy[at] = (copy[at] as number) ^ 1;
      return copy;
    };
    expect(() => readSnapshot(changed(bytes.length - 9))).toThrow('damaged');
    expect(() => readSnapshot(changed(60))).toThrow('damaged');
    expect(() => readSnapshot(bytes.slice(0, -8))).toThrow('bytes long and should be');
    expect(() => readSnapshot(changed(0))).toThrow('not an intelligence snapshot');
    expect(() => readSnapshot(new Uint8Array(3))).toThrow('not an intelligence snapshot');
    expect(() => readSnapshot(changed(8))).toThrow('snapshot format 0');
  });

  it('takes at most 64 sources', () => {
    expect(() =>
      compileSnapshot({ ...knowledge(), sources: [...SOURCES, source('one-more', 'spam', 'domain')] }),
    ).toThrow('65 sources');
  });
});
