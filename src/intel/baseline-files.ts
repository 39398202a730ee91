/** Decides where the files of a bundled source are found, and which version they are. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readVersion } from '../platform/version.ts';
import type { BaselineSource } from './sources.ts';

const load = createRequire(import.meta.url);
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url));

type SourceFiles = Pick<BaselineSource, 'package' | 'files' | 'except'>;

/** Absolute paths. @throws when the package is not installed */
export function filesOf(source: SourceFiles): string[] {
  const folder = source.package === undefined ? OWN_FOLDER : dirname(manifestPath(source.package));
  return source.files.map((file) => join(folder, file));
}

/** The version of a source's package; Gatehouse's own for its own files. */
export function versionOf(source: SourceFiles): string {
  if (source.package === undefined) return readVersion();
  return (JSON.parse(readFileSync(manifestPath(source.package), 'utf8')) as { version: string }).version;
}

/** The entries of one of Gatehouse's own files, as text. */
export function readOwnFile(file: string): string {
  return readFileSync(join(OWN_FOLDER, file), 'utf8');
}

/** The words or names a package's module lists: an array, or what `blacklist()` gives. */
export function loadModule(path: string): string[] {
  const exported = load(path) as readonly string[] | { blacklist(): Iterable<string> };
  return 'blacklist' in exported ? [...exported.blacklist()] : [...exported];
}

function manifestPath(name: string): string {
  try {
    return load.resolve(`${name}/package.json`);
  } catch (cause) {
    throw new Error(`the data package ${name} is not installed (a development dependency)`, { cause });
  }
}
