/** Renders and serves the contract (the OpenAPI document, its reference page and what that page needs) and the third-party notices. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildOpenApi, readExamples } from '../contract/openapi.ts';
import { readManageExamples } from '../contract/openapi-manage.ts';
import type { ApiDocument } from './docs/document.ts';
import { renderPage } from './docs/page.ts';
import type { Routes } from './request-handler.ts';
import { createStaticFile, type StaticFile, sendStaticFile } from './static-file.ts';

/** Written by the build: whose work is shipped, and the licences. */
const NOTICES = new URL('../../dist/THIRD-PARTY.txt', import.meta.url);

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Asked again each time, answered 304 until a new version is installed. */
const HEADERS = { 'Cache-Control': 'no-cache' };

/** A file of the reference; its path is relative to the page's folder, as in the page's links. */
interface ReferenceFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** In the order of the cascade; sent as one file. */
const STYLES = ['frame.css', 'navigation.css', 'tables.css', 'examples.css'];

const PERMANENT_REDIRECT = 308;

/** The same for every service of a process: rendered, hashed and compressed once. */
let files: ReadonlyMap<string, StaticFile> | undefined;

export function docsRoutes(routes: Routes): void {
  files ??= new Map(renderReference().map((file) => [`/${file.path}`, toStaticFile(file)]));
  for (const [path, file] of files) routes.add('GET', path, async (context) => sendStaticFile(context, file));
  // The page's links are relative, so that it also works behind a proxy's path prefix.
  routes.add('GET', '/docs/', async (context) => {
    context.header('Location', '../docs');
    context.header('Content-Length', 0);
    context.empty(PERMANENT_REDIRECT);
  });
}

/** The reference page and all that it links to. The static site of the documents has the same files. */
export function renderReference(): readonly ReferenceFile[] {
  const document = buildOpenApi();
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const page = renderPage(document as unknown as ApiDocument, { ...readExamples(), ...readManageExamples() });
  const notices = readFileSync(NOTICES, 'utf8');
  return [
    { path: 'openapi.json', type: 'application/json; charset=utf-8', text: json },
    { path: 'docs', type: 'text/html; charset=utf-8', text: page },
    { path: 'docs/docs.css', type: 'text/css; charset=utf-8', text: STYLES.map(asset).join('\n') },
    { path: 'docs/icon.svg', type: 'image/svg+xml', text: asset('icon.svg') },
    { path: 'notices', type: 'text/plain; charset=utf-8', text: notices },
  ];
}

function asset(name: string): string {
  return readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8');
}

function toStaticFile({ type, text }: ReferenceFile): StaticFile {
  const bytes = Buffer.from(text);
  return createStaticFile({ type, bytes, zipped: gzipSync(bytes), securityPolicy: POLICY, headers: HEADERS });
}
