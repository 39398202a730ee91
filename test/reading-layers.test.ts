/** A reader begins at the file's sentence, then at what it exports: no helper comes before the first exported function, types and constants may. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FUNCTION = /^(export )?(?:async )?(?:function\*?|class) (\w+)/gm;
const OPENING_WITH_GAP = /^(?:#!.*\n)?(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n|(?:\/\/.*\n)+)\n+import\b/;

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

it('has no empty line between the sentence of a file and its imports', () => {
  const files = ['bench', 'client', 'dashboard/src', 'demo', 'scripts', 'src', 'test', 'tools'].flatMap(
    (folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file))
        .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(1_500);
  const hasGap = (text: string) => OPENING_WITH_GAP.test(text);
  expect(files.filter((file) => hasGap(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  expect(
    ['/** A. */\n\nimport a', '/**\n * A.\n */\n\nimport a', '#!/x\n// A.\n// B.\n\nimport a'].filter(hasGap),
  ).toHaveLength(3);
  expect(['/** A. */\nimport a', '/** A. */\n\nconst A = 1;\nimport a'].filter(hasGap)).toEqual([]);
});

/** Name of the first function or class, if it is not exported and another one is. */
function helperBeforeExport(text: string): string | undefined {
  const functions = [...text.matchAll(FUNCTION)];
  const [first] = functions;
  if (first === undefined || first[1] !== undefined) return undefined;
  return functions.some(([, exported]) => exported !== undefined) ? first[2] : undefined;
}
