import { describe, expect, it } from 'vitest';
import { toCsvRow } from './csv-row.ts';

describe('a cell', () => {
  it.each([
    ['plain text', 'plain text'],
    ['=1+1', "'=1+1"],
    ['＝1', "'＝1"],
    ['  -1', "  '-1"],
    ['a;=1', "a;'=1"],
    [';=1', ";'=1"],
    [';;=1', ";;'=1"],
    ['a; =1; +2', "a; '=1; '+2"],
    ['\t=1', "'\t'=1"],
    ['\tx', "'\tx"],
    ['a-b', 'a-b'],
    ['a\n@b', `"a\n'@b"`],
    ['" =1', `""" '=1"`],
  ])('of %j is %j', (text, cell) => {
    expect(toCsvRow([text])).toBe(`${cell}\r\n`);
  });

  // With a square of the steps, it would take hours.
  it('is read once, also where it is a million spaces', () => {
    const text = `;${' '.repeat(1_000_000)}`;
    expect(toCsvRow([`${text}=1`])).toBe(`${text}'=1\r\n`);
    expect(toCsvRow([text])).toBe(`${text}\r\n`);
  });
});
