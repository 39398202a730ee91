/** Serves the contract (the OpenAPI document, its reference page and what that page needs) and the third-party notices, as built. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Routes } from './core/request-handler.ts';
import { createStaticFile, type StaticFile, sendStaticFile } from './core/static-file.ts';

/** Folder that the build writes them to, compressed alone, with slashes in names as `+`. */
const BUILT = new URL('../../dist/reference/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  'openapi.json': 'application/json; charset=utf-8',
  docs: 'text/html; charset=utf-8',
  'docs/docs.css': 'text/css; charset=utf-8',
  'docs/icon.svg': 'image/svg+xml',
  notices: 'text/plain; charset=utf-8',
};
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Asked again each time, answered 304 until a new version is installed. */
const HEADERS = { 'Cache-Control': 'no-cache' };
const PERMANENT_REDIRECT = 308;

/** Read on first use; the same for every service of a process. */
const files = new Map<string, StaticFile>();

export function docsRoutes(routes: Routes): void {
  for (const path of Object.keys(TYPES))
    routes.add('GET', `/${path}`, async (context) => sendStaticFile(context, open(path)));
  // The page's links are relative, so that it also works behind a proxy's path prefix.
  routes.add('GET', '/docs/', async (context) => {
    context.header('Location', '../docs');
    context.header('Content-Length', 0);
    context.empty(PERMANENT_REDIRECT);
  });
}

function open(path: string): StaticFile {
  const known = files.get(path);
  if (known !== undefined) return known;
  const compressed = readFileSync(new URL(`${path.replaceAll('/', '+')}.gz`, BUILT));
  const file = createStaticFile({
    type: TYPES[path] as string,
    bytes: gunzipSync(compressed),
    compressed: new Map([['gzip', compressed]]),
    securityPolicy: POLICY,
    headers: HEADERS,
  });
  files.set(path, file);
  return file;
}
