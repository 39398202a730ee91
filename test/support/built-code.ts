/** Lets tests import the build of `src`, as it is shipped, instead of compiling it again for each test project. */
import { dirname, join, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src') + sep;
const NOT_BUILT = /\.(test|suite)\.ts$/;

export function builtCode(): Plugin {
  return {
    name: 'gatehouse:built-code',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.') || !source.endsWith('.ts')) return;
      const file = resolve(dirname(importer), source);
      if (!file.startsWith(SRC) || NOT_BUILT.test(file)) return;
      return { id: join(ROOT, 'dist', file.slice(SRC.length)).replace(/\.ts$/, '.js'), external: true };
    },
  };
}
