import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
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
