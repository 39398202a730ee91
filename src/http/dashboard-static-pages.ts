/** Serves the dashboard's pages as built: hashed files that browsers keep, and a document for the path of each page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestContext } from './core/request-context.ts';
import type { Routes } from './core/request-handler.ts';
import { createStaticFile, type StaticFile, sendStaticFile } from './core/static-file.ts';

const BUILT = fileURLToPath(new URL('../dashboard', import.meta.url));
/** The document of paths that no page has. */
const DOCUMENT = 'index.html';
/** The documents of the pages, by their routes. */
const DOCUMENTS = 'documents.json';
/** Compressed copies of a file, by content coding; the best first. */
const COPIES = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
const HASHED = 'assets/';
/** Pages that links lead to: served also without `Accept: text/html`. */
const LINKED = ['/setup', '/invitations'];
/** Paths that are not pages of the dashboard: there a 404 comes in the error envelope. */
const OTHERS = /^\/(?:v1|dashboard|docs|assets|challenge)(?:\/|$)/;

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

/** The component library positions elements by style attributes; scripts are only our own files. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

interface Pages {
  register(routes: Routes): void;
  /** Answers a request without a route if it is for a page; returns `false` if it is not. */
  readonly serve: (context: RequestContext) => boolean;
}

/** @param folder of the built pages; where there is none, none are served */
export function createPages(folder = BUILT): Pages {
  const names = existsSync(join(folder, DOCUMENT)) ? filesIn(folder) : [];
  const files = new Map<string, StaticFile>();

  /** Read on first use and kept in memory: together the files are small. */
  function open(name: string): StaticFile {
    const known = files.get(name);
    if (known !== undefined) return known;
    const path = join(folder, name);
    // Files without a hash in their name are requested each time, and answered 304 until a new version is installed.
    const cache = name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';
    const file = createStaticFile({
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      bytes: readFileSync(path),
      compressed: compressedCopies(path),
      securityPolicy: POLICY,
      headers: { 'Cache-Control': cache },
    });
    files.set(name, file);
    return file;
  }

  const documents = names.includes(DOCUMENTS) ? readDocuments(join(folder, DOCUMENTS)) : [];
  const sendFile = (name: string) => async (context: RequestContext) => sendStaticFile(context, open(name));
  const sendDocument = async (context: RequestContext) => {
    const found = documents.find(({ pattern }) => pattern.test(context.path));
    sendStaticFile(context, open(found?.document ?? DOCUMENT));
  };

  return {
    register(routes) {
      for (const name of names.filter((name) => !isDocument(name)))
        routes.add('GET', `/${name}`, sendFile(name));
      if (names.length > 0) routes.add('GET', '/', sendDocument);
      if (names.length > 0) for (const path of LINKED) routes.add('GET', path, sendDocument);
    },
    serve(context) {
      const { path, method, headers } = context;
      const isPage = headers.accept?.includes('text/html') === true && !OTHERS.test(path);
      const isRead = method === 'GET' || method === 'HEAD';
      if (names.length === 0 || !isRead || !isPage) return false;
      sendDocument(context);
      return true;
    },
  };
}

/** Names below the folder, with slashes, without the compressed copies. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|\.(?:br|gz)$/.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
}

/** Whether a file is sent by the paths of pages alone. */
function isDocument(name: string): boolean {
  return name === DOCUMENT || name === DOCUMENTS || name.startsWith('documents/');
}

function compressedCopies(path: string): Map<string, Buffer> {
  const copies = COPIES.filter(([, ending]) => existsSync(path + ending));
  return new Map(copies.map(([coding, ending]) => [coding, readFileSync(path + ending)]));
}

function readDocuments(file: string): readonly { readonly pattern: RegExp; readonly document: string }[] {
  const documents = JSON.parse(readFileSync(file, 'utf8')) as { route: string; document: string }[];
  return documents.map(({ route, document }) => ({ pattern: patternOf(route), document }));
}

/** `/a/:b/c/:d?` as an expression: a parameter is one segment, and may be missing where it ends with a question mark. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`);
}
