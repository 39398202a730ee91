/** Serves the contract (the OpenAPI document, its reference page and what that page needs) and the third-party notices. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { buildOpenApi, readExamples } from '../contract/openapi.ts';
import type { ApiDocument } from './docs/document.ts';
import { renderPage } from './docs/page.ts';

/** Written by the build: whose work is shipped, and the licences. */
const NOTICES = new URL('../../dist/THIRD-PARTY.txt', import.meta.url);

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Asked again each time, answered 304 until a new version is installed.
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

/** In the order of the cascade; sent as one. */
const STYLES = ['frame.css', 'navigation.css', 'tables.css', 'examples.css'];

export function docsRoutes(app: FastifyInstance): void {
  const document = buildOpenApi();
  const page = renderPage(document as unknown as ApiDocument, readExamples());
  serve(app, '/openapi.json', 'application/json; charset=utf-8', `${JSON.stringify(document, null, 2)}\n`);
  serve(app, '/docs', 'text/html; charset=utf-8', page);
  serve(app, '/docs/docs.css', 'text/css; charset=utf-8', STYLES.map(asset).join('\n'));
  serve(app, '/docs/icon.svg', 'image/svg+xml', asset('icon.svg'));
  serve(app, '/notices', 'text/plain; charset=utf-8', readFileSync(NOTICES, 'utf8'));
  // The page's links are relative, so that it also works behind a proxy's path prefix.
  app.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
}

function asset(name: string): string {
  return readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8');
}

/** Answers one unchanging text, hashed and compressed once. */
function serve(app: FastifyInstance, url: string, type: string, text: string): void {
  const bytes = Buffer.from(text);
  const zipped = gzipSync(bytes);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  app.get(url, (request, reply) => {
    reply.headers(HEADERS).header('ETag', `W/"${hash}"`);
    if (request.headers['if-none-match']?.includes(hash)) return reply.code(304).send();
    reply.type(type);
    if (!/\bgzip\b(?!\s*;\s*q=0)/.test(String(request.headers['accept-encoding']))) return reply.send(bytes);
    return reply.header('Content-Encoding', 'gzip').send(zipped);
  });
}
