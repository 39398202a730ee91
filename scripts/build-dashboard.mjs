/**
 * Checks whether the dashboard's pages must be built, builds them to dist/dashboard with compressed copies of each
 * larger text file, and fails if a first visit would load too much script for a slow connection.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { filesBelow, inputLines, missingPackages, requireBuilt, versionOf } from './build-inputs.mjs';
import { frameOf, writeDocuments } from './dashboard-documents.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'dashboard');
const OUT = join(ROOT, 'dist', 'dashboard');
const STAMP = join(ROOT, 'dist', '.dashboard-stamp');
const PACKAGES = join(ROOT, 'dist', '.dashboard-packages');
const INPUTS = ['dashboard', 'src/contract', 'src/model'];
const TEXTS = new Set(['.html', '.js', '.css', '.svg']);
const FIRST_LOAD_LIMIT = 180_000;
/** Bytes that one packet carries. A smaller file comes no sooner when it is compressed, and its copies take two blocks of the disk. */
const ONE_PACKET = 1_400;

/** @param {(text: string) => void} say */
export async function buildDashboard(say) {
  const { devDependencies } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  const files = INPUTS.flatMap((folder) =>
    filesBelow(join(ROOT, folder), (name) => !/\.test\.tsx?$/.test(name)),
  );
  const inputs = inputLines(ROOT, files);
  const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  // vite may be installed without these packages, because a package of the service depends on it.
  const missing = missingPackages(SOURCE, Object.keys(devDependencies));
  if (missing.length > 0) {
    requireBuilt({ output: join(OUT, 'index.html'), outputName: 'dist/dashboard', built, inputs, missing });
    return;
  }
  const manifest = [`vite\t${versionOf(SOURCE, 'vite')}`, ...inputs, ''].join('\n');
  if (manifest === built && existsSync(PACKAGES)) return;
  const vite = await import('vite');
  rmSync(STAMP, { force: true });
  // Tests run this with NODE_ENV=test, and vite would then include React's much larger development build.
  process.env.NODE_ENV = 'production';
  await vite.build({ configFile: join(SOURCE, 'vite.config.ts'), logLevel: 'warn' });
  writeFileSync(PACKAGES, readFileSync(join(OUT, '.vite', 'packages.json')));
  const chunks = readManifest();
  writeDocuments(OUT, join(SOURCE, 'src', 'pages.json'), chunks);
  const heaviest = heaviestFirstLoad(chunks);
  if (heaviest.bytes > FIRST_LOAD_LIMIT)
    throw new Error(`a first visit of ${heaviest.page} loads ${heaviest.bytes} bytes of script, compressed`);
  compressTexts();
  writeFileSync(STAMP, manifest);
  say(`built the dashboard; a first visit loads at most ${(heaviest.bytes / 1e3).toFixed(0)} kB of script`);
}

/** Names of the packages that the pages were built with; undefined if they were built elsewhere. */
export function bundledPackages() {
  return existsSync(PACKAGES) ? JSON.parse(readFileSync(PACKAGES, 'utf8')) : undefined;
}

/** The chunks of the build; removes the file, because browsers do not need it. */
function readManifest() {
  const file = join(OUT, '.vite', 'manifest.json');
  const chunks = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(dirname(file), { recursive: true });
  return chunks;
}

/** The page whose first visit loads the most script; what it loads after a click is not counted. */
function heaviestFirstLoad(chunks) {
  const entry = Object.keys(chunks).find((name) => chunks[name].isEntry);
  const pages = chunks[entry].dynamicImports.filter((name) => /\bpages\//.test(name));
  const loads = pages.map((page) => {
    const needed = new Set();
    for (const name of [entry, frameOf(chunks), page]) follow(chunks, name, needed);
    const scripts = new Set(
      [...needed].map((name) => chunks[name].file).filter((path) => path.endsWith('.js')),
    );
    const bytes = [...scripts].reduce((sum, path) => sum + sentLength(readFileSync(join(OUT, path))), 0);
    return { page, bytes };
  });
  return loads.reduce((heaviest, load) => (load.bytes > heaviest.bytes ? load : heaviest), {
    page: '',
    bytes: 0,
  });
}

const sentLength = (bytes) => (bytes.length <= ONE_PACKET ? bytes : gzipSync(bytes)).length;

function follow(chunks, name, seen) {
  if (seen.has(name)) return;
  seen.add(name);
  for (const next of chunks[name].imports ?? []) if (!chunks[next].isEntry) follow(chunks, next, seen);
}

function compressTexts() {
  for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXTS.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length <= ONE_PACKET) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  }
}
