import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientOrigin, type TrustedProxies } from './trusted-proxies.ts';

/** A visitor who made up the first address, then the entry of the outer proxy, and that of the inner proxy. */
const HEADERS = {
  host: 'inner.example:8080',
  'x-forwarded-for': '198.51.100.1, 203.0.113.5, 10.0.0.2',
  'x-forwarded-proto': 'http, https',
  'x-forwarded-host': 'forged.example, gate.example',
};

const requestOf = (headers: IncomingMessage['headers']) =>
  ({ headers, socket: { remoteAddress: '10.0.0.1' } }) as unknown as IncomingMessage;

it.each<[TrustedProxies, string, string]>([
  [false, '10.0.0.1', 'http'],
  [0, '10.0.0.1', 'http'],
  [1, '10.0.0.2', 'https'],
  [2, '203.0.113.5', 'https'],
  [3, '198.51.100.1', 'https'],
  ['10.0.0.0/8', '203.0.113.5', 'https'],
  ['192.0.2.0/24, 10.0.0.0/8', '203.0.113.5', 'https'],
  ['10.0.0.2', '10.0.0.1', 'http'],
  [true, '198.51.100.1', 'https'],
])('trusting %s, a request came from %s by %s', (trusted, ip, protocol) => {
  const origin = createClientOrigin(trusted);
  const request = requestOf(HEADERS);
  expect([origin.ip(request), origin.protocol(request)]).toEqual([ip, protocol]);
  expect(origin.host(request)).toBe(protocol === 'https' ? 'gate.example' : 'inner.example:8080');
});

it('uses the address of the connection if a trusted proxy gives none', () => {
  const origin = createClientOrigin(true);
  const request = requestOf({ 'x-forwarded-host': '' });
  expect([origin.ip(request), origin.protocol(request), origin.host(request)]).toEqual([
    '10.0.0.1',
    'http',
    '',
  ]);
});

it.each([
  ['https,', 'gate.example, '],
  ['http, ,https', ' , gate.example,,'],
  [' , ', ','],
])('passes over empty elements in protocol and host: %j, %j', (protocol, host) => {
  const origin = createClientOrigin(1);
  const headers = { host: 'inner.example', 'x-forwarded-proto': protocol, 'x-forwarded-host': host };
  const expected = protocol === ' , ' ? ['http', 'inner.example'] : ['https', 'gate.example'];
  expect([origin.protocol(requestOf(headers)), origin.host(requestOf(headers))]).toEqual(expected);
});

const NETWORK = '10.0.0.0/8';
const from = (headers: IncomingMessage['headers'], trusted: TrustedProxies = NETWORK, peer = '10.0.0.1') =>
  createClientOrigin(trusted).ip({ headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage);

describe('an address', () => {
  it.each([
    ['with a port', '203.0.113.5:51234', '203.0.113.5'],
    ['quoted', '"[2001:DB8::5]:443"', '2001:db8::5'],
    ['mapped', '::ffff:203.0.113.5', '203.0.113.5'],
    ['in NAT64', '64:ff9b::cb00:7105', '203.0.113.5'],
    ['with a zone', 'fe80::1%eth0', 'fe80::1'],
    ['after one that is made up', '198.51.100.1,203.0.113.5', '203.0.113.5'],
    ['that nobody can read', '203.0.113.5, unknown', '10.0.0.1'],
    ['before a proxy, but hidden', '_hidden, 10.0.0.2', '10.0.0.2'],
  ])('%s is canonical', (_form, value, ip) => {
    for (const trusted of [NETWORK, '::ffff:10.0.0.0/104'])
      expect(from({ 'x-forwarded-for': value }, trusted)).toBe(ip);
  });

  it.each([
    ['for=198.51.100.1, FOR="203.0.113.5:80";proto=https, for=10.0.0.2', '203.0.113.5'],
    ['for="[2001:db8::5]:443"', '2001:db8::5'],
    ['for="198.51.100.1, for=203.0.113.5', '203.0.113.5'],
    ['for="x, for=198.51.100.1", for=203.0.113.5', '203.0.113.5'],
    ['for=203.0.113.5, for=unknown', '10.0.0.1'],
    ['proto=https', '10.0.0.1'],
  ])('in Forwarded: %s', (forwarded, ip) => {
    expect(from({ forwarded })).toBe(ip);
    expect(from({ forwarded, 'x-forwarded-for': '198.51.100.9' })).toBe('198.51.100.9');
  });

  it.each([['203.0.113.5,'], [', 203.0.113.5'], ['198.51.100.1,, 203.0.113.5 , ,10.0.0.2,']])(
    'is found among empty elements: %s',
    (value) => {
      expect(from({ 'x-forwarded-for': value })).toBe('203.0.113.5');
      expect(from({ forwarded: value.replace(/[\d.]+/g, 'for=$&') })).toBe('203.0.113.5');
      expect(from({ 'x-forwarded-for': value }, value.includes('10.') ? 2 : 1)).toBe('203.0.113.5');
    },
  );

  it.each(['', ' , ', ','])('is read in Forwarded beside a blank X-Forwarded-For: %j', (blank) => {
    for (const trusted of [NETWORK, 1])
      expect(from({ 'x-forwarded-for': blank, forwarded: 'for=203.0.113.5' }, trusted)).toBe('203.0.113.5');
  });

  it('of Cloudflare’s Pseudo IPv4 is the IPv6 address', () => {
    const headers = { 'x-forwarded-for': '240.1.2.3', 'cf-connecting-ipv6': '2001:DB8::5' };
    expect(from(headers)).toBe('2001:db8::5');
    expect(from({ ...headers, 'cf-connecting-ipv6': 'nonsense' })).toBe('240.1.2.3');
    expect(from({ ...headers, 'x-forwarded-for': '203.0.113.5' })).toBe('203.0.113.5');
  });

  it('is not what a stranger says', () => {
    const forged = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
    const headers = { ...forged, 'cf-connecting-ipv6': '2001:db8::6' };
    expect(from(headers, NETWORK, '203.0.113.5')).toBe('203.0.113.5');
    expect(from(headers, NETWORK, '::ffff:203.0.113.5')).toBe('203.0.113.5');
    expect(from(headers, NETWORK, '240.1.2.3')).toBe('240.1.2.3');
    expect(from(headers, false)).toBe('10.0.0.1');
  });
});

it('tells once that a trusted proxy names no visitor, with the names of headers alone', () => {
  const told: (readonly string[])[] = [];
  const origin = createClientOrigin(NETWORK, (seen) => told.push(seen));
  const ask = (headers: IncomingMessage['headers'], remoteAddress = '10.0.0.1') =>
    origin.ip({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
  ask({ 'x-forwarded-for': '203.0.113.5' });
  ask({}, '203.0.113.5');
  expect(told).toEqual([]);
  for (let i = 0; i < 3; i += 1) ask({ 'x-real-ip': '203.0.113.5', cookie: 'secret' });
  expect(told).toEqual([['x-real-ip']]);
});
