/** Texts are written as PostgreSQL reads them: each with its length in bytes, whatever its characters. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBinaryArrays } from './binary-arrays.ts';

const HEADER_BYTES = 20;

function readTexts(array: Buffer): (string | null)[] {
  const texts: (string | null)[] = [];
  for (let at = HEADER_BYTES; at < array.length; ) {
    const bytes = array.readInt32BE(at);
    at += 4;
    texts.push(bytes < 0 ? null : array.toString('utf8', at, at + bytes));
    at += Math.max(0, bytes);
  }
  return texts;
}

const texts = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    'a',
    '\u007f',
    '\u0080',
    'é',
    'a'.repeat(32),
    'a'.repeat(33),
    `${'a'.repeat(31)}é`,
    '☃',
    '𝒜',
  ),
);

it('writes any texts, also where shorter ones were before', () => {
  const arrays = createBinaryArrays();
  fc.assert(
    fc.property(fc.array(fc.option(texts), { minLength: 1, maxLength: 60 }), (items) => {
      arrays.begin();
      arrays.text(items, (text) => text);
      arrays.cells(items, [(text) => text, () => 'é and e']);
      const [column, cells] = arrays.end() as [Buffer, Buffer];
      expect(column.readInt32BE(12)).toBe(items.length);
      expect(readTexts(column)).toEqual(items);
      expect(readTexts(cells)).toEqual(items.flatMap((text) => [text, 'é and e']));
    }),
  );
});
