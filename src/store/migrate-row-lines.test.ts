import { describe, expect, it } from 'vitest';
import { createTableDigest, type TableColumn, type TableRow, toLine } from './migrate-row-lines.ts';

const COLUMNS: readonly TableColumn[] = [
  { name: 'a', type: 'text' },
  { name: 'b', type: 'text' },
];

function digestOf(...rows: TableRow[]) {
  const digest = createTableDigest();
  for (const row of rows) digest.add(toLine(row, COLUMNS));
  return digest.end();
}

describe('the line for a row', () => {
  it.each<[type: string, value: unknown, text: string]>([
    [
      'text',
      'tab \t line \n slash \\ bell \b\f\v\r ß 🦊',
      'tab \\t line \\n slash \\\\ bell \\b\\f\\v\\r ß 🦊',
    ],
    ['text', '\\N', '\\\\N'],
    ['text', '', ''],
    ['text', null, '\\N'],
    ['bigint', 4_200_000_000_000, '4200000000000'],
    ['boolean', 1, 't'],
    ['boolean', 0, 'f'],
    ['timestamp with time zone', 0, '1970-01-01T00:00:00.000Z'],
    ['timestamp with time zone', '2026-05-04T03:02:01.007Z', '2026-05-04T03:02:01.007Z'],
    ['real[]', [], '{}'],
    ['real[]', [12.5, 12.3, 0, 0.00001], '{12.5,12.300000190734863,0,9.999999747378752e-06}'],
  ])('contains a %s %j as COPY writes it', (type, value, text) => {
    expect(toLine({ a: value }, [{ name: 'a', type }]).toString()).toBe(`${text}\n`);
  });
});

describe('the digest of a table', () => {
  const first = { a: 'a', b: '1' };
  const second = { a: 'b', b: null };

  it('does not depend on the order of rows', () => {
    expect(digestOf(first, second)).toEqual(digestOf(second, first));
    expect(digestOf(first, second)).toMatchObject({
      rows: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each<[string, TableRow[], TableRow[]]>([
    ['a value', [{ a: 'a' }], [{ a: 'b' }]],
    ['null and an empty text', [{ a: null }], [{ a: '' }]],
    ['null and its text', [{ a: null }], [{ a: '\\N' }]],
    ['the column of a value', [{ a: 'a', b: 'b' }], [{ a: 'b', b: 'a' }]],
    ['the end of a value', [{ a: 'ab', b: 'c' }], [{ a: 'a', b: 'bc' }]],
    ['a value that looks like two', [{ a: 'a\tb', b: null }], [{ a: 'a', b: 'b' }]],
    ['a row that looks like two', [{ a: 'a', b: 'b\na\tb' }], [first, first]],
    [
      'a value between two rows',
      [
        { a: 'a', b: '1' },
        { a: 'b', b: '2' },
      ],
      [
        { a: 'a', b: '2' },
        { a: 'b', b: '1' },
      ],
    ],
    ['a row and the same row twice', [first], [first, first]],
    ['two equal rows and none', [first, first], []],
  ])('differs for %s', (_, rows, others) => {
    expect(digestOf(...rows).hash).not.toBe(digestOf(...others).hash);
  });
});
