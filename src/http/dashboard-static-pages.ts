/** Serves the dashboard's pages as the build left them: hashed files for ever, the one document for every page's path. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const BUILT = fileURLToPath(new URL('../dashboard', import.meta.url));
const DOCUMENT = 'index.html';
const HASHED = 'assets/';
/** Pages that links lead to: whoever follows one may be no browser. Those with more below are of older links. */
const LINKED = ['/setup', '/setup/*', '/invitations', '/invitations/*'];
/** No pages of the dashboard: what is not found there is answered in the envelope. */
const OTHERS = /^\/(?:v1|dashboard|docs|assets)(?:\/|$)/;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

const HEADERS = {
  // The component library places things by style attributes; scripts are our own files only.
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
};

interface File {
  readonly bytes: Buffer;
  readonly zipped: Buffer | undefined;
  readonly tag: string;
}

/** Answers a request for a page; false leaves it to others. */
export type ServePage = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** @param folder of the built pages; where there is none, none are served */
export function createPages(folder = BUILT): { register(app: FastifyInstance): void; servePage: ServePage } {
  const names = existsSync(join(folder, DOCUMENT)) ? filesIn(folder) : [];
  const files = new Map<string, File>();

  /** Read when first asked for, and kept: together they are small. */
  function open(name: string): File {
    let file = files.get(name);
    if (file === undefined) {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      const zipped = existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : undefined;
      file = { bytes, zipped, tag: createHash('sha256').update(bytes).digest('base64url') };
      files.set(name, file);
    }
    return file;
  }

  function serve(name: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { bytes, zipped, tag } = open(name);
    // What is not hashed is asked for again each time, and answered 304 until a new version is installed.
    const cache = name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';
    reply.headers(HEADERS).header('Cache-Control', cache).header('ETag', `W/"${tag}"`);
    if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
    reply.type(TYPES[extname(name)] ?? 'application/octet-stream');
    if (zipped === undefined || !/\bgzip\b(?!\s*;\s*q=0)/.test(String(request.headers['accept-encoding'])))
      return reply.send(bytes);
    return reply.header('Content-Encoding', 'gzip').send(zipped);
  }

  return {
    register(app) {
      for (const name of names) {
        const url = name === DOCUMENT ? '/' : `/${name}`;
        // The router takes `*` for the root.
        app.get(url, (request, reply) =>
          request.url === '*' ? reply.callNotFound() : serve(name, request, reply),
        );
      }
      if (names.length > 0)
        for (const url of LINKED) app.get(url, (request, reply) => serve(DOCUMENT, request, reply));
    },
    servePage(request, reply) {
      const asked = request.method === 'GET' || request.method === 'HEAD';
      const html = request.headers.accept?.includes('text/html') === true;
      if (names.length === 0 || !asked || !html || OTHERS.test(request.url.split('?', 1)[0] as string))
        return false;
      serve(DOCUMENT, request, reply);
      return true;
    },
  };
}

/** Names below the folder, with slashes, without the compressed copies. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.gz') && !entry.name.startsWith('.'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
}
