import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { code } from '../../scripts/reference/html.mjs';
import { type ServedRoutes, serveRoutes } from '../../test/support/serve-routes.ts';
import { MANAGE_OPERATIONS } from '../contract/manage-operations.ts';
import { MANAGE_PROBLEM_CODES } from '../contract/manage-problems.ts';
import { buildOpenApi } from '../contract/openapi.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { PROBLEMS } from '../contract/problem.ts';
import { REASON_CODES } from '../contract/reasons.ts';
import { docsRoutes } from './docs.ts';

let served: ServedRoutes;
let origin: string;

beforeAll(async () => {
  served = await serveRoutes((routes) => {
    docsRoutes(routes);
    routes.add('GET', '/other', async (context) => context.send(200, 'text/plain', 'other'));
  });
  origin = served.url;
});

afterAll(() => served?.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, origin), { headers, redirect: 'manual' });

describe('GET /openapi.json', () => {
  it('is the document of the contract', async () => {
    const response = await get('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual(buildOpenApi());
  });

  it('answers 304 if the client has it already', async () => {
    const etag = (await get('/openapi.json')).headers.get('etag') ?? '';
    const again = await get('/openapi.json', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    expect((await get('/openapi.json', { 'if-none-match': '*' })).status).toBe(304);
    expect((await get('/openapi.json', { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('is the same text with and without compression', async () => {
    const plain = await get('/openapi.json', { 'accept-encoding': 'identity' });
    const zipped = await get('/openapi.json', { 'accept-encoding': 'gzip' });
    expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ]);
    expect(await plain.text()).toBe(await zipped.text());
  });

  it.each([
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['br;q=1, gzip;q=0.5', 'gzip'],
    ['gzip ; Q=0.001', 'gzip'],
    ['gzip;q=0', null],
    ['br, gzip; q=0.000', null],
    ['not-gzip', null],
  ])('for Accept-Encoding %s has the encoding %s', async (accepted, encoding) => {
    const response = await get('/openapi.json', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    await response.arrayBuffer();
  });
});

describe('GET /docs', () => {
  it('is HTML whose policy allows no script and no other host', async () => {
    const response = await get('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    const page = await response.text();
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  });

  it('contains every operation, error code and reason code, and its links lead to them', async () => {
    const page = await (await get('/docs')).text();
    const operations = [...Object.values(OPERATIONS), ...MANAGE_OPERATIONS];
    expect([operations.length, REASON_CODES.length]).toEqual([54, 13]);
    for (const { id, summary, path } of operations) {
      expect(page).toContain(`<section id="${id}"`);
      expect(page).toContain(summary);
      expect(page).toContain(code(path).toString());
    }
    for (const code of [...Object.keys(PROBLEMS), ...MANAGE_PROBLEM_CODES])
      expect(page).toContain(`id="error-${code}"`);
    for (const code of REASON_CODES) expect(page).toContain(`id="reason-${code}"`);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]));
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });

  it('loads only its own assets, which exist', async () => {
    const page = await (await get('/docs')).text();
    const links = [...page.matchAll(/(?:href|src)="([^"#][^"]*)"/g)].map((match) => match[1] as string);
    // A link for the reader, which the page does not load: the credit of the data in the examples.
    const CREDIT = 'https://db-ip.com/';
    expect(new Set(links)).toEqual(
      new Set(['docs/icon.svg', 'docs/docs.css', 'openapi.json', 'notices', CREDIT]),
    );
    const own = links.filter((link) => link !== CREDIT);
    const texts = await Promise.all(
      own.map(async (link) => {
        const response = await get(`/${link}`);
        expect(response.status).toBe(200);
        return response.text();
      }),
    );
    const css = texts[own.indexOf('docs/docs.css')] ?? '';
    expect(css).not.toMatch(/@import|url\(|\/\//);
    const hosts = [...page.matchAll(/\bhttps?:\/\/[^\s"<&]+/g)].map((match) => match[0]);
    // The address of a webhook in an example.
    const RECEIVER = 'https://hooks.shop.example/gatehouse';
    // The link for an appeal in an example.
    const APPEAL = 'http://127.0.0.1:8080/appeal/#v1.mHk3w0cC6t1x8Qm2';
    // The address of a provider in an example of take-back.
    const PROVIDER = 'https://kratos.shop.example/admin';
    expect(new Set(hosts)).toEqual(new Set(['http://127.0.0.1:8080', APPEAL, CREDIT, RECEIVER, PROVIDER]));
  });

  it('redirects from the path with a slash at its end', async () => {
    const response = await get('/docs/');
    expect(response.status).toBe(308);
    expect(new URL(response.headers.get('location') ?? '', `${origin}/docs/`).pathname).toBe('/docs');
  });

  it('adds no headers to other routes', async () => {
    const response = await get('/other');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get('cache-control')).toBeNull();
  });
});

describe('GET /notices', () => {
  it('is the text that the build wrote, and the reference links to it', async () => {
    const response = await get('/notices');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(
      readFileSync(new URL('../../dist/THIRD-PARTY.txt', import.meta.url), 'utf8'),
    );
    const page = await (await get('/docs')).text();
    expect(page).toContain('<a href="notices">Third-party notices</a>');
    expect(page).toContain('<a href="https://db-ip.com/">IP Geolocation by DB-IP</a>');
  });
});
