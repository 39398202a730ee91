/**
 * Builds what has changed: compiles src into dist, copies the files that code reads at run time,
 * compiles the bundled intelligence snapshot, the table of the name model and a month of signups, builds the dashboard, copies the widget of the challenge page, writes the third-party notices, and renders the API reference. Each step is skipped if its inputs have not changed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildDashboard } from './build-dashboard.mjs';
import { filesBelow, inputLines, missingPackages, requireBuilt, versionOf } from './build-inputs.mjs';
import { buildMonth } from './build-month.mjs';
import { buildNotices } from './build-notices.mjs';
import { buildReference } from './build-reference.mjs';
import { buildWidget } from './build-widget.mjs';
import { freezeContract } from './freeze-contract.mjs';
import { NAME_PACKAGES } from './names/packages.mjs';
import { isAsset, isSource } from './source-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.build-stamp');
const CONFIGS = ['tsconfig.json', 'tsconfig.build.json'];
const COMPILERS = ['typescript', 'typebox'];
/** Code of the service that decides what is in the table of names. */
const NAME_READERS = ['fold-name', 'known-names', 'letter-costs', 'name-table'];

try {
  // The pages need no compiled code, so they are built while the compiler runs in a separate process.
  const results = await Promise.allSettled([
    buildCode()
      .then(buildNames)
      .then(buildSnapshot)
      .then(() => buildMonth(say)),
    buildDashboard(say),
  ]);
  for (const { status, reason } of results) if (status === 'rejected') throw reason;
  buildWidget(say);
  await buildNotices(say);
  await buildReference(say);
} catch (error) {
  process.stderr.write(`build: ${error.message}\n`);
  process.exitCode = 1;
}

async function buildCode() {
  const sources = filesBelow(SRC, isSource);
  const files = sources.map((file) => file.slice(SRC.length + 1));
  const inputs = inputLines(ROOT, [...CONFIGS.map((path) => join(ROOT, path)), ...sources]);
  const built = readIfThere(STAMP);
  const missing = missingPackages(ROOT, COMPILERS);
  if (missing.length > 0) {
    requireBuilt({ output: join(DIST, 'main.js'), outputName: 'dist', built, inputs, missing });
    return;
  }
  const versions = COMPILERS.map((name) => `${name}\t${versionOf(ROOT, name)}`);
  // Equal text means that nothing changed, was added or was removed.
  const manifest = [...versions, ...inputs, ''].join('\n');
  if (manifest === built) return;

  await compile(createRequire(import.meta.url).resolve('typescript/bin/tsc'));
  removeStale(built, files);
  copyAssets(files);
  await freezeContract(join(DIST, 'contract'));
  writeFileSync(STAMP, manifest);
  say('compiled src to dist');
}

/** After a type error, dist keeps the last good build. */
async function compile(compilerPath) {
  const child = spawn(process.execPath, [compilerPath, '-p', 'tsconfig.build.json', '--noEmitOnError'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  // Rejects with the error, if the process cannot be started.
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('the TypeScript compiler found errors');
}

/** Removes the output of source files that no longer exist. */
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
  for (const path of files.filter(isAsset)) {
    mkdirSync(dirname(join(DIST, path)), { recursive: true });
    cpSync(join(SRC, path), join(DIST, path));
  }
}

async function buildNames() {
  const outFile = join(DIST, 'address', 'names.table');
  const keyFile = `${outFile}.key`;
  const record = readIfThere(keyFile);
  const sources = [
    ...filesBelow(join(ROOT, 'scripts', 'names'), (name) => /\.(mjs|txt)$/.test(name)),
    ...NAME_READERS.map((name) => join(SRC, 'address', `${name}.ts`)),
  ];
  const inputs = inputLines(ROOT, sources);
  const missing = missingPackages(ROOT, NAME_PACKAGES);
  if (missing.length > 0) {
    requireBuilt({ output: outFile, outputName: 'the table of names', built: record, inputs, missing });
    return;
  }
  const versions = NAME_PACKAGES.map((name) => `${name} ${versionOf(ROOT, name)}`).join('; ');
  const key = [`packages\t${versions}`, ...inputs, ''].join('\n');
  if (existsSync(outFile) && key === record) return;
  rmSync(keyFile, { force: true });
  const { trainNames } = await import('./names/train.mjs');
  const file = await trainNames(join(DIST, 'address'));
  writeFileSync(outFile, file);
  writeFileSync(keyFile, key);
  say(`made the table of names (${Math.round(file.length / 1000)} kB)`);
}

async function buildSnapshot() {
  const baseline = await import(pathToFileURL(join(DIST, 'intel', 'baseline.js')).href);
  const { BASELINE_FILE } = await import(pathToFileURL(join(DIST, 'intel', 'bundled-snapshot.js')).href);
  const outFile = fileURLToPath(BASELINE_FILE);
  const keyFile = `${outFile}.key`;
  const record = readIfThere(keyFile);
  // Its inputs that need no package: its own code and lists.
  const own = inputLines(
    DIST,
    filesBelow(join(DIST, 'intel'), (name) => /\.(js|txt)$/.test(name)),
  );
  const recordOf = (key) => [`${key} ${statSync(outFile).size}`, ...own, ''].join('\n');
  const missing = missingPackages(ROOT, baseline.dataPackages());
  if (missing.length > 0) {
    const output = record.split('\n')[0].endsWith(` ${sizeOf(outFile)}`) ? outFile : '';
    requireBuilt({ output, outputName: 'the intelligence snapshot', built: record, inputs: own, missing });
    return;
  }
  const key = baseline.inputsKey();
  if (existsSync(outFile) && recordOf(key) === record) return;
  rmSync(keyFile, { force: true });
  const { id, bytes } = await baseline.compileBaseline({ outFile });
  writeFileSync(keyFile, recordOf(key));
  say(`compiled the intelligence snapshot ${id} (${(bytes / 1e6).toFixed(1)} MB)`);
}

function sizeOf(file) {
  return existsSync(file) ? statSync(file).size : -1;
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function say(text) {
  process.stdout.write(`build: ${text}\n`);
}
