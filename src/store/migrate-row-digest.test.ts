import { describe, expect, it } from 'vitest';
import type { MigrationRow } from './migrate-ports.ts';
import { createRowDigest } from './migrate-row-digest.ts';

function digestOf(...rows: MigrationRow[]) {
  const digest = createRowDigest();
  digest.add(rows);
  return digest.end();
}

describe('the digest of a table', () => {
  const one: MigrationRow = ['a', 1, null, [0.5]];
  const other: MigrationRow = ['b', 2, true, []];

  it('is the same in any order and in any portions', () => {
    const portions = createRowDigest();
    for (const row of [other, one]) portions.add([row]);
    expect(portions.end()).toEqual(digestOf(one, other));
    expect(digestOf(one, other)).toMatchObject({ rows: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it.each<[string, MigrationRow[], MigrationRow[]]>([
    ['a value', [['a']], [['b']]],
    ['a type', [['1']], [[1]]],
    ['null and its name', [[null]], [['null']]],
    ['where a value stands', [['a', 'b']], [['b', 'a']]],
    ['where one value ends', [['ab', 'c']], [['a', 'bc']]],
    ['values that look like two', [['a"1:b']], [['a', 'b']]],
    [
      'a value between two rows',
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        ['a', 2],
        ['b', 1],
      ],
    ],
    ['a row there twice', [['a']], [['a'], ['a']]],
    ['two equal rows and none', [['a'], ['a']], []],
  ])('tells apart: %s', (_, rows, others) => {
    expect(digestOf(...rows).hash).not.toBe(digestOf(...others).hash);
  });
});
