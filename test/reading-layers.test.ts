/** A reader begins at what a file exports: no helper comes before the first exported function, types and constants may. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FUNCTION = /^(export )?(?:async )?(?:function\*?|class) (\w+)/gm;

it('has no helper before the first exported function of a file', () => {
  const files = ['src', 'client/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.(?:test|suite))\.ts$/.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(600);
  const found = files.flatMap((file) => {
    const helper = helperBeforeExport(readFileSync(join(ROOT, file), 'utf8'));
    return helper === undefined ? [] : [`${file}: ${helper}`];
  });
  expect(found).toEqual([]);
});

it.each([
  ['const MAX = 1;\nfunction help() {}\nexport function work() {}', 'help'],
  ['class Helper {}\nexport class Work {}', 'Helper'],
  ['interface Options {}\nexport async function work() {}\nfunction help() {}', undefined],
  ['export const WORK = help();\nfunction help() {}', undefined],
])('finds a helper in %j: %s', (text, helper) => {
  expect(helperBeforeExport(text)).toBe(helper);
});

/** Name of the first function or class, if it is not exported and another one is. */
function helperBeforeExport(text: string): string | undefined {
  const functions = [...text.matchAll(FUNCTION)];
  const [first] = functions;
  if (first === undefined || first[1] !== undefined) return undefined;
  return functions.some(([, exported]) => exported !== undefined) ? first[2] : undefined;
}
