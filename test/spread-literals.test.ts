/** A list or object is written out: no literal is spread into another one, which would only change how the formatter breaks lines. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = [
  'src',
  'dashboard/src',
  'client/src',
  'test',
  'scripts',
  'bench',
  'demo',
  'capacity',
  'tools',
];

it('spreads no literal', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:[cm]?[jt]s|tsx)$/.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return spreadLiterals(file, text).map((literal) => `${file}: ${literal}`);
  });
  expect(found).toEqual([]);
});

it('finds one in a list, an object, the arguments of a call and the properties of an element', () => {
  const text = `
    const list = [...['a', 'b'], ...other, ...['c'].map(String)];
    const object = { ...{ a, b }, ...rest, ...(a && { c }) };
    call(...[1, 2], ...[...set].sort());
    const element = <Part {...{ a, b }} {...rest} />;`;
  expect(spreadLiterals('planted.tsx', text)).toEqual(["['a', 'b']", '{ a, b }', '[1, 2]', '{ a, b }']);
});

/** The literals that the text spreads. */
function spreadLiterals(file: string, text: string): string[] {
  // The compiler is slow.
  if (!/\.\.\.\s*[[{]/.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isSpread = ts.isSpreadElement(node) || ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node);
    if (isSpread && isLiteral(node.expression)) found.push(node.expression.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function isLiteral(node: ts.Expression): boolean {
  return ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
}
