/**
 * Decides what has to be built: compiles src into dist, copies the files that code reads at run time,
 * compiles the bundled intelligence snapshot, and builds the dashboard. Each step is skipped when nothing it depends on has changed.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildDashboard } from './build-dashboard.mjs';
import { freezeContract } from './freeze-contract.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.build-stamp');
const CONFIGS = ['package.json', 'tsconfig.json', 'tsconfig.build.json'];
const ASSET_EXTENSIONS = new Set(['.sql', '.json', '.txt', '.html', '.css', '.svg', '.lua']);
const NOT_BUILT = /\.(test|suite)\.ts$/;

try {
  await buildCode();
  await buildSnapshot();
  await buildDashboard(say);
} catch (error) {
  process.stderr.write(`build: ${error.message}\n`);
  process.exitCode = 1;
}

async function buildCode() {
  const compiler = findCompiler();
  if (compiler === undefined) {
    if (!existsSync(STAMP))
      throw new Error('TypeScript is not installed and dist is incomplete; run npm ci first');
    say('TypeScript is not installed; dist stays as it is');
    return;
  }
  const files = sourceFiles();
  const manifest = manifestOf(files, compiler.version);
  const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  if (manifest === built) return;

  compile(compiler.path);
  removeStale(built, files);
  copyAssets(files);
  await freezeContract(join(DIST, 'contract'));
  writeFileSync(STAMP, manifest);
  say('compiled src to dist');
}

/** After a type error dist stays as the last good build left it. */
function compile(compilerPath) {
  const { status, error } = spawnSync(
    process.execPath,
    [compilerPath, '-p', 'tsconfig.build.json', '--noEmitOnError'],
    { cwd: ROOT, stdio: ['ignore', 2, 2] },
  );
  if (status !== 0) throw new Error(error?.message ?? 'the TypeScript compiler found errors');
}

function findCompiler() {
  const require = createRequire(import.meta.url);
  try {
    return {
      path: require.resolve('typescript/bin/tsc'),
      version: require('typescript/package.json').version,
    };
  } catch {
    return undefined;
  }
}

/** Paths below src, tests left out. */
function sourceFiles() {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(SRC.length + 1))
    .sort();
}

/** One line a file with its size and time: equal text means that nothing changed, appeared or went. */
function manifestOf(files, compilerVersion) {
  const line = (path, file) => {
    const { size, mtimeMs } = statSync(file);
    return `${path}\t${size}\t${mtimeMs}`;
  };
  return [
    `typescript\t${compilerVersion}`,
    ...CONFIGS.map((path) => line(path, join(ROOT, path))),
    ...files.map((path) => line(`src/${path}`, join(SRC, path))),
    '',
  ].join('\n');
}

/** Takes away what an earlier build made of files that are gone. */
function removeStale(built, files) {
  const present = new Set(files.map((path) => `src/${path}`));
  for (const [path = ''] of built.split('\n').map((line) => line.split('\t'))) {
    if (!path.startsWith('src/') || present.has(path)) continue;
    const target = join(DIST, path.slice('src/'.length));
    const script = target.replace(/\.ts$/, '.js');
    for (const stale of [script, `${script}.map`]) rmSync(stale, { force: true });
  }
}

function copyAssets(files) {
  for (const path of files.filter((path) => ASSET_EXTENSIONS.has(extname(path)))) {
    mkdirSync(dirname(join(DIST, path)), { recursive: true });
    cpSync(join(SRC, path), join(DIST, path));
  }
}

async function buildSnapshot() {
  const baseline = await import(pathToFileURL(join(DIST, 'intel', 'baseline.js')).href);
  const outFile = fileURLToPath(baseline.BASELINE_FILE);
  const keyFile = `${outFile}.key`;
  const key = inputsKeyOf(baseline, outFile);
  if (key === undefined || (existsSync(outFile) && recordOf(key, outFile) === readIfThere(keyFile))) return;
  rmSync(keyFile, { force: true });
  const { id, bytes } = await baseline.compileBaseline({ outFile });
  writeFileSync(keyFile, recordOf(key, outFile));
  say(`compiled the intelligence snapshot ${id} (${(bytes / 1e6).toFixed(1)} MB)`);
}

/** `undefined` when the data packages are not installed, as in production, but the snapshot is there. */
function inputsKeyOf(baseline, outFile) {
  try {
    return baseline.inputsKey();
  } catch (error) {
    if (!existsSync(outFile)) throw error;
    say(`${error.message}; the intelligence snapshot stays as it is`);
    return undefined;
  }
}

function recordOf(key, outFile) {
  return `${key} ${statSync(outFile).size}\n`;
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function say(text) {
  process.stdout.write(`build: ${text}\n`);
}
