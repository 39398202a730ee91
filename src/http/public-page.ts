/** Serves a page for visitors of an application: its own files alone, no cookies, nothing of other hosts, in no frame and no search engine. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Routes } from './core/request-handler.ts';
import { createStaticFile, sendStaticFile } from './core/static-file.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";
const HEADERS = { 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-cache' };

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/**
 * @param folder of `page.html` and `page.js`, beside this file; all pages have one style
 * @param more files of the page, by their names: a script or a style each
 */
export function publicPage(
  routes: Routes,
  path: string,
  folder: string,
  more: ReadonlyMap<string, URL> = new Map(),
): void {
  const own = (file: string) => new URL(`./${file}`, import.meta.url);
  const files = [
    { name: '', file: own(`${folder}/page.html`), type: 'text/html; charset=utf-8' },
    { name: 'page.css', file: own('challenge-page/page.css'), type: STYLE },
    { name: 'page.js', file: own(`${folder}/page.js`), type: SCRIPT },
    ...[...more].map(([name, file]) => ({ name, file, type: name.endsWith('.css') ? STYLE : SCRIPT })),
  ];
  for (const { name, file, type } of files) {
    const bytes = readFileSync(file);
    const sent = createStaticFile({
      type,
      bytes,
      compressed: new Map([['gzip', gzipSync(bytes)]]),
      securityPolicy: POLICY,
      headers: HEADERS,
    });
    routes.add('GET', `${path}${name}`, async (context) => sendStaticFile(context, sent));
  }
}
