/** Where requests and redirects lead, with servers on two loopback addresses and a DNS server that rebinds. */
import type { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../../test/support/dns-server.ts';
import { followRedirects } from './follow-redirects.ts';
import { createWebClient, type Reach, type WebClient } from './web-client.ts';

/** Counts as public here, so that nothing leaves the machine; all other addresses are internal. */
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';

let dns: TestDnsServer;
let outside: Server;
let inside: Server;
let port: number;
let client: WebClient;
/** The target of the redirects from `outside`. */
let location = '';
const heard: string[] = [];

beforeAll(async () => {
  dns = await startDnsServer();
  outside = createServer((request, response) => {
    heard.push('outside');
    if (request.url === '/moved') response.writeHead(302, { location }).end();
    else response.end('a list');
  });
  inside = createServer((request, response) => {
    heard.push('inside');
    if (request.url === '/moved') response.writeHead(302, { location }).end();
    else if (request.url === '/packed') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
    } else response.end('a secret');
  });
  await new Promise<void>((done) => outside.listen(0, PUBLIC, done));
  port = portOf(outside);
  await new Promise<void>((done) => inside.listen(port, INSIDE, done));
  client = createWebClient({
    lookup: lookupBy(dns),
    isPublic: (address) => address === PUBLIC,
    ports: [port],
  });
});
afterAll(async () => {
  client.close();
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
  await dns.close();
});

async function get(url: string, reach: Reach): Promise<string> {
  heard.length = 0;
  const signal = AbortSignal.timeout(10_000);
  const options = { reach, headers: {}, signal, maxRedirects: 3 };
  const { body } = await followRedirects(client, new URL(url), options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const urlOf = (host: string, path = '') => `http://${host}:${port}/${path}`;

describe('a URL from the operator', () => {
  it('leads anywhere, including the internal network', async () => {
    dns.set('feeds.example', { a: [INSIDE] });
    expect(await get(urlOf('feeds.example'), 'anywhere')).toBe('a secret');
    expect(await get(urlOf(INSIDE, 'packed'), 'anywhere')).toBe('packed');
  });

  it('may be redirected to public addresses, and to other paths of its own server', async () => {
    location = '/list';
    expect(await get(urlOf(INSIDE, 'moved'), 'anywhere')).toBe('a secret');
    location = urlOf(PUBLIC, 'list');
    expect(await get(urlOf(INSIDE, 'moved'), 'anywhere')).toBe('a list');
  });
});

describe('a redirect', () => {
  it.each([
    ['an address inside', () => urlOf(INSIDE)],
    ['this machine by name', () => urlOf('localhost')],
    ['a number that is an address inside', () => urlOf('2130706433')],
    ['6to4', () => urlOf('[2002:a9fe:a9fe::]')],
    ['Teredo', () => urlOf('[2001:0:a9fe:a9fe::1]')],
    ['NAT64', () => urlOf('[64:ff9b::a9fe:a9fe]')],
    ['an address inside as IPv6', () => urlOf('[::ffff:127.0.0.1]')],
    ['another port', () => `http://${PUBLIC}:${port + 1}/`],
    ['a URL with a user name', () => `http://user:password@${PUBLIC}:${port}/`],
    ['a file', () => 'file:///etc/hostname'],
    ['another protocol', () => `ftp://${PUBLIC}/list`],
    ['a name that leads inside', () => urlOf('inside.example')],
    ['a name of which one address leads inside', () => urlOf('both.example')],
  ])('is not followed to %s', async (_, target) => {
    dns.set('localhost', { a: [INSIDE] });
    dns.set('inside.example', { a: [INSIDE] });
    dns.set('both.example', { a: [PUBLIC, INSIDE] });
    location = target();
    await expect(get(urlOf(PUBLIC, 'moved'), 'anywhere')).rejects.toThrow(/not followed|does not connect to/);
    expect(heard).toEqual(['outside']);
  });

  it('is never followed from https to http', async () => {
    const protectedOnce = {
      request: (url: URL) => client.request(new URL(`http://${url.host}${url.pathname}`), options),
    };
    const options = { reach: 'anywhere' as const, headers: {}, signal: AbortSignal.timeout(10_000) };
    location = urlOf(PUBLIC, 'list');
    const start = new URL(`https://${PUBLIC}:${port}/moved`);
    await expect(followRedirects(protectedOnce, start, { ...options, maxRedirects: 3 })).rejects.toThrow(
      'a redirect to http: is not followed',
    );
  });

  it('connects to the address that was checked, even if the name changes a moment later', async () => {
    dns.set('rebinding.example', { a: [PUBLIC], ttl: 0, later: { a: [INSIDE], ttl: 0 } });
    location = urlOf('rebinding.example', 'list');
    expect(await get(urlOf(PUBLIC, 'moved'), 'anywhere')).toBe('a list');
    expect(dns.queries('rebinding.example')).toBe(1);
    expect(heard).toEqual(['outside', 'outside']);
  });
});

describe('a URL from another party', () => {
  it('leads to public addresses only, by address and by name', async () => {
    dns.set('registry.example', { a: [PUBLIC] });
    dns.set('inside.example', { a: [INSIDE] });
    expect(await get(urlOf('registry.example'), 'public')).toBe('a list');
    for (const host of [INSIDE, 'inside.example']) {
      await expect(get(urlOf(host), 'public')).rejects.toThrow('is not a public address');
    }
    await expect(get(`http://${PUBLIC}:${port + 1}/`, 'public')).rejects.toThrow('is not a public address');
    expect(heard).toEqual([]);
  });

  it('uses no connection that was opened without a check', async () => {
    dns.set('turning.example', { a: [INSIDE] });
    expect(await get(urlOf('turning.example'), 'anywhere')).toBe('a secret');
    await expect(get(urlOf('turning.example'), 'public')).rejects.toThrow('is not a public address');
  });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The look-up of the system, but with this DNS server. */
function lookupBy({ address }: TestDnsServer): typeof systemLookup {
  const resolver = new Resolver();
  resolver.setServers([address]);
  const lookup = (
    name: string,
    _: object,
    callback: (error: Error | null, found: { address: string; family: number }[]) => void,
  ) =>
    resolver.resolve4(name, (error, found = []) =>
      callback(
        error,
        found.map((address) => ({ address, family: 4 })),
      ),
    );
  return lookup as unknown as typeof systemLookup;
}
