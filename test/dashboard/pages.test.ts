/** The dashboard's pages as files: the response for each path, its caching, and its content policy. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseMissing } from '../../src/http/core/web-routes.ts';
import { createPages } from '../../src/http/dashboard-static-pages.ts';
import { type Client, createClient } from '../support/client.ts';
import { type ServedRoutes, serveRoutes } from '../support/serve-routes.ts';

const DOCUMENT = '<!doctype html><title>Gatehouse</title>';
const SCRIPT = 'console.log(1)';
const SIGNUPS = '<!doctype html><title>Signups · Gatehouse</title>';
const ROUTES = [{ route: '/accounts/:account/assessments/:request_id?', document: 'documents/signups.html' }];

let folder: string;
let served: ServedRoutes;
let client: Client;
const get = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  client.send({ path, headers });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), DOCUMENT);
  await writeFile(join(folder, 'index.html.gz'), gzipSync(DOCUMENT));
  await writeFile(join(folder, 'index.html.br'), brotliCompressSync(DOCUMENT));
  await mkdir(join(folder, 'documents'));
  await writeFile(join(folder, 'documents/signups.html'), SIGNUPS);
  await writeFile(join(folder, 'documents.json'), JSON.stringify(ROUTES));
  await writeFile(join(folder, 'assets/index-abc123.js'), SCRIPT);
  const pages = createPages(folder);
  served = await serveRoutes(
    (routes) => {
      routes.add('GET', '/v1/known', async (context) => context.json(200, '{}'));
      pages.register(routes);
    },
    { handleMissing: (router) => async (context) => refuseMissing(context, router, pages.serve) },
  );
  client = createClient(served.url);
});
afterAll(async () => {
  client?.close();
  await served?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the document', () => {
  it.each(['/', '/accounts/acc_1/today', '/accounts/acc_1/unknown/req_1?a=b.c', '/setup'])(
    'is served at %s',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect([status, text]).toEqual([200, DOCUMENT]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  it.each(['/setup', '/invitations'])(
    'is served at %s also to clients that are not browsers',
    async (path) => {
      const { status, text } = await get(path, {});
      expect([status, text]).toEqual([200, DOCUMENT]);
    },
  );

  it('allows only our own scripts, and no page may frame it', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);
    const rules = Object.fromEntries(policy.split('; ').map((rule) => rule.split(/ (.*)/).slice(0, 2)));
    expect(rules).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
  });

  it.each([
    '/accounts/acc_1/assessments',
    '/accounts/acc_1/assessments/req_1',
    '/accounts/acc_1/assessments?period=7d',
  ])('is that of the page at %s', async (path) => {
    expect((await get(path)).text).toBe(SIGNUPS);
  });

  it.each(['/accounts/acc_1/assessments/req_1/full', '/accounts/a/b/assessments', '/assessments'])(
    'is the common one at %s, which is of another page or of none',
    async (path) => {
      expect((await get(path)).text).toBe(DOCUMENT);
    },
  );

  it.each(['/documents/signups.html', '/documents.json', '/index.html.br'])(
    'is no file at %s',
    async (path) => {
      expect((await get(path, { accept: '*/*' })).status).toBe(404);
    },
  );

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip;q=1, br;q=0', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
    ['zstd', undefined, (bytes: Buffer) => bytes],
    ['', undefined, (bytes: Buffer) => bytes],
  ])('for a client that accepts %j has the coding %j', async (accepted, coding, decode) => {
    const { headers, bytes } = await get('/', { accept: 'text/html', 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(decode(bytes).toString()).toBe(DOCUMENT);
  });

  it('is not sent again while it is unchanged', async () => {
    const zipped = await get('/', { accept: 'text/html', 'accept-encoding': 'br, gzip' });
    const again = await get('/', { 'if-none-match': String(zipped.headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each([
    ['/v1/unknown', 'text/html'],
    ['/dashboard/api/unknown', 'text/html'],
    ['/docs/unknown', 'text/html'],
    ['/assets/index-old.js', 'text/html'],
    ['/accounts/acc_1/today', 'application/json'],
    ['/../package.json', '*/*'],
    ['/assets/..%2f..%2fpackage.json', '*/*'],
  ])('is not served at %s for Accept: %s', async (path, accept) => {
    const { text, status } = await get(path, { accept });
    expect([status >= 400, text.includes(DOCUMENT)]).toEqual([true, false]);
  });

  it('is not the answer to a POST', async () => {
    const { status } = await client.send({
      method: 'POST',
      path: '/elsewhere',
      headers: { accept: 'text/html' },
    });
    expect(status).toBe(404);
  });
});

describe('a hashed file', () => {
  it('is kept for ever', async () => {
    const { status, headers, text } = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip' });
    expect([status, text]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
});
