// Writes src as JavaScript to dist-dev, for `npm run dev`: file by file and without a look at types, so that a change takes milliseconds.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc, version } from 'vite';
import { filesBelow } from './build-inputs.mjs';
import { isAsset, isSource } from './source-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const SRC = join(ROOT, 'src');
/** At the depth of dist, because code finds the snapshot, the reference and package.json from where it is. */
export const EMITTED = join(ROOT, 'dist-dev');
/** File with the version of the compiler that wrote the folder. */
const STAMP = join(EMITTED, '.vite-version');
const OPTIONS = {
  lang: 'ts',
  target: 'es2023',
  sourcemap: true,
  // As the compiler options of the build say.
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
};

/** Whether a change of this file changes what runs. @param file absolute */
export const isEmitted = (file) =>
  file.startsWith(`${SRC}/`) && (isAsset(file) || (extname(file) === '.ts' && isSource(file)));

/** Brings the folder up to date: writes what is newer in src, removes what is no longer there. @returns how many files it wrote */
export async function emitSources() {
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== version)
    rmSync(EMITTED, { recursive: true, force: true });
  mkdirSync(EMITTED, { recursive: true });
  const sources = filesBelow(SRC, isSource).filter(isEmitted);
  const targets = new Set(sources.map(targetOf));
  for (const target of filesBelow(EMITTED, () => true))
    if (!targets.has(target) && target !== STAMP) rmSync(target);
  const outdated = sources.filter((source) => !isUpToDate(source, targetOf(source)));
  await Promise.all(outdated.map(emit));
  writeFileSync(STAMP, version);
  return outdated.length;
}

function targetOf(source) {
  return join(EMITTED, relative(SRC, source)).replace(/\.ts$/, '.js');
}

function isUpToDate(source, target) {
  return existsSync(target) && statSync(target).mtimeMs >= statSync(source).mtimeMs;
}

async function emit(source) {
  const target = targetOf(source);
  mkdirSync(dirname(target), { recursive: true });
  if (extname(source) !== '.ts') {
    copyFileSync(source, target);
    return;
  }
  const { code, map } = await transformWithOxc(readFileSync(source, 'utf8'), source, OPTIONS);
  const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  writeFileSync(target, `${code}\n//# sourceMappingURL=${url}\n`);
}
