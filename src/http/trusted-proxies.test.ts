import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { createTrust, type TrustedProxies } from './trusted-proxies.ts';

/** A visitor who made up the first address, the outer proxy's word, and the inner proxy's. */
const HEADERS = { 'x-forwarded-for': '198.51.100.1, 203.0.113.5, 10.0.0.2', 'x-forwarded-proto': 'https' };

it.each<[TrustedProxies, string, string]>([
  [false, '10.0.0.1', 'http'],
  [0, '10.0.0.1', 'http'],
  [1, '10.0.0.2', 'https'],
  [2, '203.0.113.5', 'https'],
  [3, '198.51.100.1', 'https'],
  ['10.0.0.0/8', '203.0.113.5', 'https'],
  ['10.0.0.2', '10.0.0.1', 'http'],
  [true, '198.51.100.1', 'https'],
])('trusting %s, a request came from %s by %s', async (trusted, ip, protocol) => {
  const app = Fastify({ trustProxy: createTrust(trusted) });
  app.get('/', async (request) => [request.ip, request.protocol]);
  const { body } = await app.inject({ url: '/', headers: HEADERS, remoteAddress: '10.0.0.1' });
  expect(JSON.parse(body)).toEqual([ip, protocol]);
});
