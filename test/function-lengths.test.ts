/** No function, and no factory, is longer than a screen: at most 70 lines. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const MAX_LINES = 70;

it.each([
  ['src', 100],
  ['dashboard/src', 100],
  ['client/src', 8],
])('no function in %s has more than 70 lines', (folder, minFiles) => {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.(?:test|suite))\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(minFiles);
  const long = files.flatMap((file) =>
    longFunctions(join(ROOT, folder, file)).map((name) => `${file} ${name}`),
  );
  expect(long).toEqual([]);
});

it('finds a long function, also inside another one', () => {
  const body = 'call();\n'.repeat(MAX_LINES);
  const text = `const outer = () => {\n  function inner() {\n${body}  }\n};\n`;
  expect(longFunctionsOf(parse('planted.ts', text))).toHaveLength(2);
  expect(
    longFunctionsOf(parse('planted.ts', `function short() {\n${'call();\n'.repeat(MAX_LINES - 2)}}\n`)),
  ).toEqual([]);
});

function longFunctions(file: string): string[] {
  return longFunctionsOf(parse(file, readFileSync(file, 'utf8')));
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function longFunctionsOf(source: ts.SourceFile): string[] {
  const long: string[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const first = lineOf(node.getStart(source));
      const lines = lineOf(node.end) - first + 1;
      if (lines > MAX_LINES) long.push(`line ${first + 1}: ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return long;
}
