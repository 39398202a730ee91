/** Every warning and error in the log is explained in docs/troubleshooting.md. This has its own file, because the compiler that finds the lines is slow to load. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = 'docs/troubleshooting.md';

it(`${PAGE} has every warning and error in the log`, () => {
  const lines = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.suite)\.ts$/.test(file))
    .flatMap((file) => warningsOf(join('src', file)));
  expect(lines.length).toBeGreaterThan(20);
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  expect(lines.filter((parts) => !parts.some((part) => page.includes(part)))).toEqual([]);
});

/** The fixed parts of each warning and error that a file logs; nothing for a line that has only values. */
function warningsOf(file: string): string[][] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (!/\blog(?:ger)?[.[]/.test(text)) return [];
  const found: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      /\blog(?:ger)?(?:\.(?:warn|error|fatal)|\[.*'warn'.*\])$/s.test(node.expression.getText())
    ) {
      const parts = node.arguments.flatMap(fixedParts);
      if (parts.length > 0) found.push(parts);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function fixedParts(node: ts.Node): string[] {
  const texts =
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
      ? [node.text]
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
        : [];
  return texts.map((text) => text.split(/(?<=\w)[:;,(]/)[0]?.trim() ?? '').filter((text) => text.length > 4);
}
