/**
 * Builds what has changed, and writes the npm package `gatehouse-server` to a folder: code, pages and data as the build left
 * them, so that nothing is compiled at install, the documents, and exactly the dependencies of production.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './build-inputs.mjs';
import { readOptions } from './read-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Files that only the build reads. */
const OF_THE_BUILD = /\.map$|\.key$|^\./;
/** Rest of a module that declares types alone: no other imports it, and it takes a block on the disk. */
const EMPTY_MODULE = /^(?:\/\*[\s\S]*?\*\/|\/\/.*|\s)*export \{\};(?:\/\/.*|\s)*$/;

const { positionals } = readOptions(
  'node scripts/server-package.mjs [folder]\n  writes the npm package to this folder, replacing what is there; default: dist-package',
  { words: 1 },
);
const folder = resolve(ROOT, positionals[0] ?? 'dist-package');

execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const file of filesBelow(join(ROOT, 'dist'), (name) => !OF_THE_BUILD.test(name)))
  if (!isEmptyModule(file)) copy(file, relative(ROOT, file));
for (const file of filesBelow(join(ROOT, 'docs'), () => true)) copy(file, relative(ROOT, file));
for (const path of ['bin/gatehouse.js', 'deploy/systemd/gatehouse.service', 'LICENSE'])
  copy(join(ROOT, path), path);
copy(join(ROOT, 'deploy/npm/README.md'), 'README.md');

const own = readJson('package.json');
const { private: _, ...manifest } = readJson('deploy/npm/package.json');
const lock = readJson('package-lock.json');
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(toManifest(), undefined, 2)}\n`);
process.stdout.write(`wrote ${manifest.name} ${manifest.version} to ${relative(ROOT, folder) || folder}\n`);

function toManifest() {
  const versions = Object.keys(own.dependencies).map((name) => [
    name,
    lock.packages[`node_modules/${name}`].version,
  ]);
  return {
    ...manifest,
    bin: own.bin,
    // The versions that were tested. An npm-shrinkwrap.json would also fix what these need themselves, but npm then
    // installs the binaries of every platform: 154 MB instead of 90.
    dependencies: Object.fromEntries(versions),
  };
}

function isEmptyModule(file) {
  return file.endsWith('.js') && EMPTY_MODULE.test(readFileSync(file, 'utf8'));
}

function copy(from, path) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(from, join(folder, path));
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
