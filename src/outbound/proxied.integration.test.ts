/** Requests through a real proxy on loopback: what is asked of it, what it refuses, and what is not asked of it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttpProxy, type TestHttpProxy } from '../../test/support/http-proxy-server.ts';
import { followRedirects } from './follow-redirects.ts';
import { createWebClient, type Reach, readText, type WebClient } from './web-client.ts';

let proxy: TestHttpProxy;
let target: Server;
let client: WebClient;
/** The target of redirects. */
let location = '';
const received: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];

beforeAll(async () => {
  proxy = await startHttpProxy();
  target = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    if (request.url === '/moved') response.writeHead(302, { location }).end();
    else response.end('a list');
  });
  await new Promise<void>((done) => target.listen(0, '127.0.0.1', done));
  client = clientFor(proxy.url);
});
beforeEach(() => {
  proxy.routes.clear();
  proxy.routes.set('lists.outside.example', portOf(target));
  proxy.asked.length = 0;
  proxy.password = undefined;
  proxy.misbehaviour = undefined;
  received.length = 0;
});
afterAll(async () => {
  client.close();
  target.closeAllConnections();
  target.close();
  await proxy.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const clientFor = (url: string, noProxy: readonly string[] = []) =>
  createWebClient({ proxies: { httpProxy: url, httpsProxy: url, noProxy } });

async function get(url: string, reach: Reach = 'anywhere', from = client): Promise<string> {
  const options = { reach, headers: {}, signal: AbortSignal.timeout(20_000), maxRedirects: 3 };
  const { status, body } = await followRedirects(from, new URL(url), options);
  return `${status} ${await readText(body, 1_000)}`;
}

describe('an http target', () => {
  it('is asked for by its whole URL, and gets nothing that is for the proxy', async () => {
    proxy.password = 'us er:p@ss:word';
    const from = clientFor(proxy.url.replace('//', '//us%20er:p%40ss%3Aword@'));
    try {
      const url = 'http://reader:key@lists.outside.example/list?day=1';
      expect(await get(url, 'anywhere', from)).toBe('200 a list');
    } finally {
      from.close();
    }
    expect(proxy.asked).toEqual(['GET http://lists.outside.example/list?day=1']);
    const [{ url, headers }] = received as [(typeof received)[0]];
    expect(url).toBe('/list?day=1');
    expect(headers.host).toBe('lists.outside.example');
    expect(headers.authorization).toBe(`Basic ${btoa('reader:key')}`);
    expect(JSON.stringify(headers)).not.toContain(btoa('us er:p@ss:word'));
  });

  it('gets the body of a POST, and a HEAD', async () => {
    const signal = AbortSignal.timeout(20_000);
    const url = new URL('http://lists.outside.example/verify');
    const posted = await client.request(url, { reach: 'anywhere', headers: {}, form: 'a=b', signal });
    expect(await readText(posted.body, 100)).toBe('a list');
    const head = await client.request(url, { reach: 'anywhere', headers: {}, method: 'HEAD', signal });
    head.discard();
    expect(received.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST a=b', 'HEAD ']);
  });
});

describe.each(['http', 'https'])('a proxy for %s targets', (scheme) => {
  const url = `${scheme}://lists.outside.example/list`;

  it('that wants a password is named with what to do, and without ours', async () => {
    proxy.password = 'user:another';
    const from = clientFor(proxy.url.replace('//', '//user:topsecret@'));
    const why = `the proxy ${proxy.url} wants a user and password (407): write them into its URL`;
    await expect(get(url, 'anywhere', from)).rejects.toThrow(why);
    from.close();
    expect(received).toEqual([]);
  });

  it('that closes the connection, or is not there, is named', async () => {
    proxy.misbehaviour = 'close';
    await expect(get(url)).rejects.toThrow(`the proxy ${proxy.url} cannot be used: socket hang up`);
    const from = clientFor('http://127.0.0.1:9');
    await expect(get(url, 'anywhere', from)).rejects.toThrow(
      /the proxy http:\/\/127.0.0.1:9 cannot be used: .*ECONNREFUSED/,
    );
    from.close();
  });

  it('that hangs is left when the caller does not wait longer', async () => {
    proxy.misbehaviour = 'hang';
    const controller = new AbortController();
    const asking = client.request(new URL(url), {
      reach: 'anywhere',
      headers: {},
      signal: controller.signal,
    });
    await expect.poll(() => proxy.asked.length).toBe(1);
    controller.abort();
    await expect(asking).rejects.toThrow(/abort/i);
  });

  it('is not used for what NO_PROXY names', async () => {
    const from = clientFor(proxy.url, ['.outside.example']);
    await expect(get(url, 'anywhere', from)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    from.close();
    expect(proxy.asked).toEqual([]);
  });
});

it.each([403, 502, 503])('a tunnel that is refused with %i fails with that', async (status) => {
  proxy.misbehaviour = status;
  const why = new RegExp(
    `the proxy ${proxy.url} (answered ${status}|does not allow this target \\(${status}\\))`,
  );
  await expect(get('https://lists.outside.example/list')).rejects.toThrow(why);
});

it('an untrusted certificate of the target is refused inside the tunnel', async () => {
  await expect(get('https://lists.outside.example/list')).rejects.toThrow(/self.signed|certificate/i);
  expect(proxy.asked).toEqual(['CONNECT lists.outside.example:443']);
  expect(received).toEqual([]);
});

describe('a URL from another party', () => {
  it.each([
    'http://127.0.0.2/',
    'http://10.0.0.1/',
    'http://2130706434/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'https://169.254.169.254/latest',
    'http://lists.outside.example:8080/',
    'https://lists.outside.example:22/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://vault/',
    'http://vault./',
    'http://router.home.arpa/',
    'http://ip6-localhost.localdomain.lan/',
  ])('is not asked for at %s', async (url) => {
    await expect(get(url, 'public')).rejects.toThrow('Gatehouse does not connect to it');
    location = url;
    await expect(get('http://lists.outside.example/moved')).rejects.toThrow(
      'Gatehouse does not connect to it',
    );
    expect(proxy.asked).toEqual(['GET http://lists.outside.example/moved']);
  });

  it('is not asked for if its name leads inside from here', async () => {
    const from = createWebClient({
      proxies: { httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: [] },
      lookup: ((_: string, __: object, found: (error: null, all: object[]) => void) =>
        found(null, [{ address: '10.1.2.3', family: 4 }])) as never,
    });
    await expect(get('http://lists.outside.example/list', 'public', from)).rejects.toThrow(
      'lists.outside.example (10.1.2.3) is not a public address',
    );
    from.close();
    expect(proxy.asked).toEqual([]);
  });

  it('is asked for if only the proxy knows its name', async () => {
    expect(await get('http://lists.outside.example/list', 'public')).toBe('200 a list');
  });

  it('may lead on to public servers and back, but not to the proxy or this machine', async () => {
    location = 'http://lists.outside.example/list';
    expect(await get('http://lists.outside.example/moved')).toBe('200 a list');
    location = `${proxy.url}/`;
    await expect(get('http://lists.outside.example/moved')).rejects.toThrow('does not connect to it');
    location = `http://localhost:${portOf(target)}/`;
    await expect(get('http://lists.outside.example/moved')).rejects.toThrow('does not connect to it');
  });
});
