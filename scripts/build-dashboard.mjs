/**
 * Decides whether the dashboard's pages have to be built, builds them to dist/dashboard with a compressed copy of each
 * text, and fails when a first visit would load more script than a person on a slow line should wait for.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist', 'dashboard');
const STAMP = join(ROOT, 'dist', '.dashboard-stamp');
const INPUTS = ['dashboard', 'src/contract'];
const TEXTS = new Set(['.html', '.js', '.css', '.svg']);
const FIRST_LOAD_LIMIT = 230_000;

/** @param {(text: string) => void} say */
export async function buildDashboard(say) {
  const vite = await import('vite').catch(() => undefined);
  if (vite === undefined) {
    if (!existsSync(join(OUT, 'index.html')))
      throw new Error('vite is not installed and dist/dashboard is missing; run npm ci first');
    say('vite is not installed; dist/dashboard stays as it is');
    return;
  }
  const inputs = manifestOf(vite.version);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return;
  rmSync(STAMP, { force: true });
  // Tests start this with NODE_ENV=test, and vite would take React's far larger development form along.
  process.env.NODE_ENV = 'production';
  await vite.build({ configFile: join(ROOT, 'dashboard', 'vite.config.ts'), logLevel: 'warn' });
  const heaviest = heaviestFirstLoad();
  if (heaviest.bytes > FIRST_LOAD_LIMIT)
    throw new Error(`a first visit of ${heaviest.page} loads ${heaviest.bytes} bytes of script, compressed`);
  compressTexts();
  writeFileSync(STAMP, inputs);
  say(`built the dashboard; a first visit loads at most ${(heaviest.bytes / 1e3).toFixed(0)} kB of script`);
}

/** One line a file with its size and time: equal text means that nothing changed, appeared or went. */
function manifestOf(viteVersion) {
  const lines = INPUTS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('node_modules'))
      .sort()
      .map((path) => {
        const { size, mtimeMs } = statSync(path);
        return `${path.slice(ROOT.length)}\t${size}\t${mtimeMs}`;
      }),
  );
  return [`vite\t${viteVersion}`, ...lines, ''].join('\n');
}

/** The page whose opening alone, by somebody new, brings the most script: with all that it loads by itself. */
function heaviestFirstLoad() {
  const file = join(OUT, '.vite', 'manifest.json');
  const chunks = JSON.parse(readFileSync(file, 'utf8'));
  // It says nothing that a browser needs.
  rmSync(dirname(file), { recursive: true });
  const entry = Object.keys(chunks).find((name) => chunks[name].isEntry);
  const frame = chunks[entry].dynamicImports.filter((name) => !/\bpages\//.test(name));
  const pages = chunks[entry].dynamicImports.filter((name) => /\bpages\//.test(name));
  const loads = pages.map((page) => {
    const needed = new Set();
    for (const name of [entry, ...frame]) follow(chunks, name, needed, false);
    follow(chunks, page, needed, true);
    const scripts = new Set(
      [...needed].map((name) => chunks[name].file).filter((path) => path.endsWith('.js')),
    );
    const bytes = [...scripts].reduce((sum, path) => sum + gzipSync(readFileSync(join(OUT, path))).length, 0);
    return { page, bytes };
  });
  return loads.reduce((most, load) => (load.bytes > most.bytes ? load : most), { page: '', bytes: 0 });
}

function follow(chunks, name, seen, dynamicToo) {
  if (seen.has(name)) return;
  seen.add(name);
  const { imports = [], dynamicImports = [] } = chunks[name];
  // The entry's own dynamic imports are all the other pages.
  for (const next of [...imports, ...(dynamicToo ? dynamicImports : [])])
    if (!chunks[next].isEntry) follow(chunks, next, seen, dynamicToo);
}

function compressTexts() {
  for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXTS.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}
