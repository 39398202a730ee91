/** Checks the structure of the client package: it needs only the language and `fetch`, its files are small, and each says what it decides. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import PACKAGE from '../client/package.json' with { type: 'json' };
import SERVICE from '../package.json' with { type: 'json' };

const SOURCE = resolve(import.meta.dirname, '../client/src');
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();
const sources = files.filter((file) => !file.endsWith('.test.ts'));
const textOf = (file: string) => readFileSync(join(SOURCE, file), 'utf8');
const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const importsOf = (file: string) =>
  [...codeOf(file).matchAll(/(?:from|import|import\(|require\()\s*'([^']+)'/g)].map(([, path = '']) => path);
const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(codeOf(file)));

describe('the client package', () => {
  it('has files, and their imports are found', () => {
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(20);
  });

  it('imports only its own files: no package, no runtime API, nothing of the service', () => {
    const foreign = sources.flatMap((file) =>
      importsOf(file)
        .filter((path) => !/^\.\/[a-z/-]+\.ts$/.test(path))
        .map((path) => `${file} → ${path}`),
    );
    expect(foreign).toEqual([]);
    expect(filesWith(/\b(?:process|Buffer|__dirname|require|Deno|Bun)\b/)).toEqual([]);
  });

  it('is compared with the contract by one type test', () => {
    const comparing = files.filter((file) => importsOf(file).some((path) => path.includes('/src/')));
    expect(comparing).toEqual(['messages.test.ts']);
    expect(
      importsOf('messages.test.ts').filter((path) => !/^\.\/|^vitest$|\/src\/contract\//.test(path)),
    ).toEqual([]);
  });

  it('has no dependencies, and the version of the service', () => {
    expect(Object.keys(PACKAGE).filter((name) => /dependencies/i.test(name))).toEqual([]);
    expect(PACKAGE.version).toBe(SERVICE.version);
  });

  it('has small files without default exports, each with an opening sentence on what it decides', () => {
    expect(sources.filter((file) => textOf(file).trimEnd().split('\n').length > 300)).toEqual([]);
    expect(filesWith(/^export default\b/m)).toEqual([]);
    expect(sources.filter((file) => !/^\/\*\* \S/.test(textOf(file)))).toEqual([]);
  });

  it('lists its exports by name, in one place', () => {
    expect(filesWith(/^export (?:type )?\* from/m)).toEqual(['index.ts']);
    expect(codeOf('index.ts').match(/^export type \* from.*$/gm)).toHaveLength(1);
    expect(codeOf('index.ts')).not.toMatch(/^export \* from/m);
  });
});
