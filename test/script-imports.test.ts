/** Scripts (.mjs) are outside the type check: everything they import from the build and from each other must exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const IMPORT =
  /(?:import\s*\{(?<named>[^}]*)\}\s*from\s*|const\s*\{(?<taken>[^}]*)\}\s*=\s*await import\(\s*)'(?<path>\.[^']*)'/g;
const FOLDERS = ['bench', 'bin', 'capacity', 'demo', 'scripts', 'test'];
const scripts = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?js$/.test(file))
    .map((file) => `${folder}/${file}`),
);

it.each(scripts)('%s imports only what exists', (script) => {
  expect(missingImports(script, readFileSync(join(ROOT, script), 'utf8'))).toEqual([]);
});

it.each(testsWithScripts())('%s has scripts in its text that import only what exists', (test) => {
  const missing = modulesInText(test).filter((module) => !existsSync(join(ROOT, 'src', `${module}.ts`)));
  expect(missing).toEqual([]);
});

it('reports a missing name and a missing file', () => {
  const text = `import { createRouter, gone as there } from '../dist/http/core/router.js';
    const { a } = await import('../dist/http/gone.js');`;
  expect(missingImports('demo/run.mjs', text)).toEqual([
    'gone of src/http/core/router.ts',
    'src/http/gone.ts',
  ]);
});

/** Tests that run a script which imports the build: no compiler and no move of files looks into it. */
function testsWithScripts(): string[] {
  const tests = ['examples/test', 'src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );
  return tests.filter((test) => modulesInText(test).length > 0);
}

function modulesInText(test: string): string[] {
  const text = readFileSync(join(ROOT, test), 'utf8');
  return [...text.matchAll(/'\.\/dist\/([\w/-]+)\.js'/g)].map(([, module = '']) => module);
}

function missingImports(script: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(({ groups = {} }) => {
    const source = sourceOf(script, groups.path as string);
    if (!existsSync(join(ROOT, source))) return [source];
    const exporting = readFileSync(join(ROOT, source), 'utf8');
    const names = (groups.named ?? groups.taken ?? '')
      .split(',')
      .map((part) => part.trim().split(/ as |:/)[0]);
    return names
      .filter((name) => name !== '' && !new RegExp(`export [^\\n]*\\b${name}\\b`).test(exporting))
      .map((name) => `${name} of ${source}`);
  });
}

/** The source of a built file: `dist/x.js` comes from `src/x.ts`. */
function sourceOf(script: string, path: string): string {
  const file = join(script, '..', path);
  return file.startsWith('dist/') ? file.replace('dist/', 'src/').replace(/\.js$/, '.ts') : file;
}
