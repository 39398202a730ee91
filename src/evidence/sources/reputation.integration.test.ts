import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAbuseServer, type TestAbuseServer } from '../../../test/support/abuse-server.ts';
import { atOnce } from '../../../test/support/at-once.ts';
import { startDnsServer, type TestDnsServer, type ZoneEntry } from '../../../test/support/dns-server.ts';
import { until } from '../../../test/support/expectations.ts';
import { parseIp } from '../../address/ip.ts';
import type { IpAddress } from '../../model/signup-attempt.ts';
import { createDnsClient, type DnsClient } from './dns-client.ts';
import {
  addAbuse,
  createUpstreams,
  type Reputation,
  type Upstreams,
  type UpstreamsOptions,
} from './reputation.ts';

const ZONE = 'bl.example.org';
/** The addresses that AbuseIPDB is asked about before its first accusation of the day counts. */
const RESOLVERS = ['8.8.8.8', '1.1.1.1', '9.9.9.9'];
const CLEAR: Reputation = { innocence: 1, hits: [], unknown: [] };

let dns: TestDnsServer;
let abuse: TestAbuseServer;
let client: DnsClient;
let outcomes: string[];
let now: number;
let upstreams: Upstreams;

beforeEach(async () => {
  [dns, abuse] = await Promise.all([startDnsServer(), startAbuseServer()]);
  client = createDnsClient({ servers: [dns.address], deadlineMs: 150, patienceMs: 400 });
  outcomes = [];
  now = 1_000_000;
});

afterEach(async () => {
  upstreams?.close();
  client.close();
  await Promise.all([dns.close(), abuse.close()]);
});

function open(options: Partial<UpstreamsOptions>): void {
  upstreams = createUpstreams({
    abuseIpDbKey: null,
    abuseIpDbUrl: abuse.url,
    dnsblIp: [],
    dnsblDomain: [],
    client,
    // Longer than in the service, for the first fetch on a busy machine; tests of late answers set their own.
    deadlineMs: 2_000,
    clock: () => now,
    onAbuseIpDb: (outcome) => outcomes.push(outcome),
    onDnsbl: (outcome) => outcomes.push(outcome),
    onCanary: () => {},
    ...options,
  });
}

const ipOf = (text: string) => parseIp(text) as IpAddress;
const ofIp = (text: string) => upstreams.ipReputation?.lookup(ipOf(text));
const ofDomain = (domain: string) => upstreams.domainReputation?.lookup(domain);

it('asks no service unless one is configured', () => {
  open({});
  expect([upstreams.ipReputation, upstreams.domainReputation]).toEqual([undefined, undefined]);
});

describe('a DNS blocklist of addresses', () => {
  beforeEach(() => open({ dnsblIp: [ZONE] }));

  it.each([
    ['79.192.0.1', '1.0.192.79'],
    ['2003:c0::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.c.0.0.3.0.0.2'],
  ])('is asked about %s by its reversed digits', async (ip, name) => {
    dns.set(`${name}.${ZONE}`, { a: ['127.0.0.2'] });
    expect(await ofIp(ip)).toEqual({
      innocence: 0.5,
      hits: [{ fact: 'abuse', source: `dnsbl:${ZONE}`, entry: ip }],
      unknown: [],
    });
  });

  it.each<[string, ZoneEntry, 'listed' | 'clear' | 'unknown']>([
    ['a listing among others', { a: ['127.0.0.10', '127.0.0.4'] }, 'listed'],
    ['no such name', { rcode: 'NXDOMAIN' }, 'clear'],
    ['no address', {}, 'clear'],
    ['a list of dial-up lines', { a: ['127.0.0.10', '127.0.0.11'] }, 'clear'],
    ['a refusal', { a: ['127.255.255.254'] }, 'unknown'],
    ['an old refusal', { a: ['127.0.0.1'] }, 'unknown'],
    ['a resolver that lies', { a: ['203.0.113.80'] }, 'unknown'],
    ['SERVFAIL', { rcode: 'SERVFAIL' }, 'unknown'],
  ])('answers %s', async (_title, entry, expected) => {
    dns.set(`1.0.192.79.${ZONE}`, entry);
    const { hits, unknown } = (await ofIp('79.192.0.1')) as Reputation;
    expect(hits.length > 0 ? 'listed' : unknown.length > 0 ? 'unknown' : 'clear').toBe(expected);
  });

  it('gets one question at a time for an address, and no other while its answer is valid', async () => {
    dns.set(`1.0.192.79.${ZONE}`, { a: ['127.0.0.2'], ttl: 600 });
    const [first, second] = await Promise.all([ofIp('79.192.0.1'), ofIp('79.192.0.1')]);
    expect(second).toEqual(first);
    now += 599_999;
    expect(await atOnce(ofIp('79.192.0.1'))).toEqual(first);
    now += 1;
    expect(await atOnce(ofIp('79.192.0.1'))).toBe('waits');
    expect(outcomes).toEqual(['shared', 'listed', 'cache']);
  });
});

describe('a DNS blocklist of domains', () => {
  it('gets the registrable domain, and has codes of its own', async () => {
    open({ dnsblDomain: [ZONE] });
    dns.set(`bad-harbour.co.uk.${ZONE}`, { a: ['127.0.1.2'] });
    dns.set(`refused-harbour.com.${ZONE}`, { a: ['127.0.1.255'] });
    expect(await ofDomain('mail.bad-harbour.co.uk')).toMatchObject({
      hits: [{ fact: 'spam', source: `dnsbl:${ZONE}`, entry: 'bad-harbour.co.uk' }],
    });
    expect(await ofDomain('refused-harbour.com')).toMatchObject({ hits: [], unknown: [`dnsbl:${ZONE}`] });
  });
});

describe('an upstream that gives the same answer for everything', () => {
  const everybody = { a: ['127.0.0.2'] };
  const of = (source: string) => upstreams.canaries.find((canary) => canary.source === source);

  it.each<[string, Partial<UpstreamsOptions>, () => Promise<Reputation> | undefined, string]>([
    ['a list of addresses', { dnsblIp: [ZONE] }, () => ofIp('79.192.0.1'), '127.0.0.1'],
    ['a list of domains', { dnsblDomain: [ZONE] }, () => ofDomain('good-harbour.com'), 'invalid'],
  ])(
    '%s counts against nobody, and is not asked, until it is right again',
    async (_title, options, ask, control) => {
      const changes: boolean[] = [];
      open({ ...options, onCanary: ({ distrusted }) => changes.push(distrusted) });
      dns.fallback = everybody;
      expect(await ask()).toEqual({ ...CLEAR, unknown: [`dnsbl:${ZONE}`] });
      expect(of(`dnsbl:${ZONE}`)).toMatchObject({ distrusted: true, wrong: [control] });
      const queries = dns.queries();
      expect(await atOnce(ask())).toEqual({ ...CLEAR, unknown: [`dnsbl:${ZONE}`] });
      expect([dns.queries(), outcomes]).toEqual([queries, ['distrusted', 'distrusted']]);

      dns.fallback = { rcode: 'NXDOMAIN' };
      await of(`dnsbl:${ZONE}`)?.start();
      now += 30_000;
      expect(await ask()).toEqual(CLEAR);
      expect(changes).toEqual([true, false]);
    },
  );

  it('drops listings from before it was found to be wrong', async () => {
    open({ dnsblIp: [ZONE] });
    expect(await ofIp('79.192.0.9')).toEqual(CLEAR);
    await of(`dnsbl:${ZONE}`)?.start();
    dns.fallback = everybody;
    expect(await ofIp('79.192.0.1')).toMatchObject({ innocence: 0.5 });
    now += 60_000;
    expect(await ofIp('79.192.0.2')).toMatchObject({ unknown: [`dnsbl:${ZONE}`] });
    dns.fallback = { rcode: 'NXDOMAIN' };
    await of(`dnsbl:${ZONE}`)?.start();
    expect(await ofIp('79.192.0.1')).toEqual(CLEAR);
  });

  it('AbuseIPDB counts against nobody; its controls cost three questions a day, and none without an accusation', async () => {
    open({ abuseIpDbKey: 'a-key' });
    await of('abuseipdb')?.start();
    expect(await ofIp('79.192.0.1')).toEqual(CLEAR);
    expect(abuse.queries).toEqual(['79.192.0.1']);
    for (const ip of [...RESOLVERS, '79.192.0.2', '79.192.0.3']) abuse.scores.set(ip, 100);
    expect(await ofIp('79.192.0.2')).toEqual({ ...CLEAR, unknown: ['abuseipdb'] });
    expect(await atOnce(ofIp('79.192.0.3'))).toEqual({ ...CLEAR, unknown: ['abuseipdb'] });
    expect(abuse.queries).toEqual(['79.192.0.1', '79.192.0.2', ...RESOLVERS]);
    expect(of('abuseipdb')?.wrong).toEqual(RESOLVERS);
  });
});

describe('AbuseIPDB', () => {
  beforeEach(() => open({ abuseIpDbKey: 'a-key' }));

  it('is asked with the key, and its score is the weight', async () => {
    abuse.scores.set('79.192.0.1', 80);
    const found = (await ofIp('79.192.0.1')) as Reputation;
    expect(found.hits).toEqual([{ fact: 'abuse', source: 'abuseipdb', entry: '79.192.0.1' }]);
    expect(found.innocence).toBeCloseTo(0.2);
    expect(await ofIp('79.192.0.2')).toEqual(CLEAR);
    expect([abuse.queries, [...abuse.keys]]).toEqual([['79.192.0.1', ...RESOLVERS, '79.192.0.2'], ['a-key']]);
  });

  it.each([[500], [403], ['<html>'], ['{"data":{}}'], ['{"data":{"abuseConfidenceScore":900}}'], ['null']])(
    'is unknown after %j, and not asked about that address for a while',
    async (misbehaviour) => {
      abuse.misbehaviour = misbehaviour;
      expect(await ofIp('79.192.0.1')).toEqual({ ...CLEAR, unknown: ['abuseipdb'] });
      abuse.misbehaviour = undefined;
      expect(await atOnce(ofIp('79.192.0.1'))).toMatchObject({ unknown: ['abuseipdb'] });
      now += 30_000;
      expect(await ofIp('79.192.0.1')).toEqual(CLEAR);
    },
  );

  it('gets no questions when the allowance is used up', async () => {
    abuse.misbehaviour = 429;
    await ofIp('79.192.0.1');
    for (const ip of ['79.192.0.2', '79.192.0.3'])
      expect(await atOnce(ofIp(ip))).toMatchObject({ unknown: ['abuseipdb'] });
    expect(abuse.queries).toHaveLength(1);
    abuse.misbehaviour = undefined;
    now += 3_600_000;
    expect(await ofIp('79.192.0.2')).toEqual(CLEAR);
  });

  it('with a late answer serves the next look-up', async () => {
    open({ abuseIpDbKey: 'a-key', deadlineMs: 100 });
    abuse.scores.set('79.192.0.1', 80);
    abuse.delayMs = 300;
    expect(await ofIp('79.192.0.1')).toMatchObject({ unknown: ['abuseipdb'], hits: [] });
    await until(() => outcomes.includes('arrived'));
    expect(await atOnce(ofIp('79.192.0.1'))).toMatchObject({ unknown: [], hits: [{ source: 'abuseipdb' }] });
    expect(abuse.queries.filter((ip) => ip === '79.192.0.1')).toHaveLength(1);
  });

  it('is asked after five late answers, but not waited for until it is fast again', async () => {
    open({ abuseIpDbKey: 'a-key', deadlineMs: 100 });
    abuse.delayMs = 200;
    for (let at = 0; at < 5; at += 1) await ofIp(`79.192.1.${at}`);
    expect(await atOnce(ofIp('79.192.2.1'))).toMatchObject({ unknown: ['abuseipdb'] });
    const arrived = (answers: number) =>
      until(() => outcomes.filter((outcome) => outcome === 'arrived').length === answers);
    await arrived(6);
    abuse.delayMs = 0;
    ofIp('79.192.2.2');
    await arrived(7);
    expect(await atOnce(ofIp('79.192.2.3'))).toBe('waits');
  });

  it('is not asked after five failures, except for one probe from time to time', async () => {
    abuse.misbehaviour = 500;
    for (let at = 0; at < 5; at += 1) await ofIp(`79.192.1.${at}`);
    for (let at = 0; at < 50; at += 1) expect(await atOnce(ofIp(`79.192.2.${at}`))).not.toBe('waits');
    expect(abuse.queries).toHaveLength(5);
    abuse.misbehaviour = undefined;
    now += 30_000;
    for (let at = 0; at < 50; at += 1) expect(await atOnce(ofIp(`79.192.3.${at}`))).not.toBe('waits');
    await until(() => outcomes.includes('arrived'));
    expect(abuse.queries).toHaveLength(6);
    expect(await ofIp('79.192.4.1')).toEqual(CLEAR);
  });
});

it('adds upstreams to an abuse score as independent evidence', async () => {
  open({ abuseIpDbKey: 'a-key', dnsblIp: [ZONE, 'other.example.org'] });
  abuse.scores.set('79.192.0.1', 50);
  dns.set(`1.0.192.79.${ZONE}`, { a: ['127.0.0.2'] });
  dns.set('1.0.192.79.other.example.org', { rcode: 'SERVFAIL' });
  const found = (await ofIp('79.192.0.1')) as Reputation;
  expect(found.hits.map(({ source }) => source)).toEqual(['abuseipdb', `dnsbl:${ZONE}`]);
  expect(found.unknown).toEqual(['dnsbl:other.example.org']);
  expect([addAbuse(0, found), addAbuse(40, found), addAbuse(40, CLEAR)]).toEqual([75, 85, 40]);
});
