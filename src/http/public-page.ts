/** Serves a page for visitors of an application: its own files alone, no cookies, nothing of other hosts, in no frame and no search engine. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Routes } from './core/request-handler.ts';
import { createStaticFile, sendStaticFile } from './core/static-file.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";
const HEADERS = { 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-cache' };

/** @param folder of `page.html` and `page.js`, beside this file; all pages have one style */
export function publicPage(routes: Routes, path: string, folder: string): void {
  const files = [
    { name: '', file: `${folder}/page.html`, type: 'text/html; charset=utf-8' },
    { name: 'page.css', file: 'challenge-page/page.css', type: 'text/css; charset=utf-8' },
    { name: 'page.js', file: `${folder}/page.js`, type: 'text/javascript; charset=utf-8' },
  ];
  for (const { name, file, type } of files) {
    const bytes = readFileSync(new URL(`./${file}`, import.meta.url));
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
