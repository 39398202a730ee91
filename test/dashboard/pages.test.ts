/** The dashboard's pages as files: what a browser is given for which path, how long it keeps it, and what it may do with it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPages } from '../../src/http/dashboard-static-pages.ts';
import { createNotFound } from '../../src/http/not-found.ts';

const DOCUMENT = '<!doctype html><title>Gatehouse</title>';
const SCRIPT = 'console.log(1)';

let folder: string;
let app: FastifyInstance;
const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  app.inject({ url, headers });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), DOCUMENT);
  await writeFile(join(folder, 'index.html.gz'), gzipSync(DOCUMENT));
  await writeFile(join(folder, 'assets/index-abc123.js'), SCRIPT);
  app = Fastify();
  const pages = createPages(folder);
  createNotFound(app, () => [], pages.servePage);
  app.get('/v1/known', async () => ({}));
  pages.register(app);
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the document', () => {
  it.each(['/', '/accounts/acc_1/overview', '/accounts/acc_1/assessments/req_1?a=b.c', '/setup'])(
    'stands at %s',
    async (path) => {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, body]).toEqual([200, DOCUMENT]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  it.each(['/setup', '/invitations', '/setup/made-before', '/invitations/made-before'])(
    'is at %s also for whoever is no browser',
    async (path) => {
      const { statusCode, body } = await get(path, {});
      expect([statusCode, body]).toEqual([200, DOCUMENT]);
    },
  );

  it('lets no script in but our own files, and nobody frame it', async () => {
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

  it('comes compressed where that is understood, and not again while it is the same', async () => {
    const zipped = await get('/', { accept: 'text/html', 'accept-encoding': 'br, gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(DOCUMENT);
    const again = await get('/', { 'if-none-match': String(zipped.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each([
    ['/v1/unknown', 'text/html'],
    ['/dashboard/api/unknown', 'text/html'],
    ['/docs/unknown', 'text/html'],
    ['/assets/index-old.js', 'text/html'],
    ['/accounts/acc_1/overview', 'application/json'],
    ['/../package.json', '*/*'],
    ['/assets/..%2f..%2fpackage.json', '*/*'],
  ])('does not stand for %s asked as %s', async (path, accept) => {
    const { body, statusCode } = await get(path, { accept });
    expect([statusCode >= 400, body.includes(DOCUMENT)]).toEqual([true, false]);
  });

  it('stands for no change', async () => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/elsewhere',
      headers: { accept: 'text/html' },
    });
    expect(statusCode).toBeGreaterThanOrEqual(400);
  });
});

describe('a hashed file', () => {
  it('is kept for ever', async () => {
    const { statusCode, headers, body } = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip' });
    expect([statusCode, body]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
});
