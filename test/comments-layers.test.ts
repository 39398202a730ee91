/** A comment on a declaration begins with its noun, or the verb of a function: "Max. bytes of a body", not "Of a body: how many bytes". */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** Words before which a reader misses the noun. A file may open with one: its first sentence says what the file decides. */
const WITHOUT_NOUN = /\/\*\*[\s*]+(?:Of|What|Who|Whose|Where|As|Likewise|So many)\b[^\n]*/g;

it('begins no comment without its noun', () => {
  const files = ['src', 'dashboard/src', 'client/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|suite)\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(800);
  const found = files.flatMap((file) =>
    commentsWithoutNoun(readFileSync(join(ROOT, file), 'utf8')).map((comment) => `${file}: ${comment}`),
  );
  expect(found).toEqual([]);
});

it('finds one in a line, one of several lines and one of a member, but lets a file open as it likes', () => {
  const text = `/** What the file decides. */
/** Of a body. */
const MAX_BYTES = 1;
/**
 * So many at once.
 * @returns nothing
 */
interface Options {
  /** Who asks. */
  readonly caller: string;
  /** Official name. */
  readonly name: string;
}`;
  expect(commentsWithoutNoun(text)).toEqual([
    '/** Of a body. */',
    '/**\n * So many at once.',
    '/** Who asks. */',
  ]);
});

/** Comments of the text that begin without their noun, each up to the end of its first line. */
function commentsWithoutNoun(text: string): string[] {
  return [...text.matchAll(WITHOUT_NOUN)]
    .filter(({ index }) => text.slice(0, index).replace(/^#!.*\n/, '') !== '')
    .map(([comment]) => comment);
}
