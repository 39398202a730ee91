import { describe, expect, it } from 'vitest';
import type { LogRow } from '../contract/dashboard-assessments.ts';
import { toCsvLine } from './dashboard-csv.ts';

const cellOf = (text: string) =>
  toCsvLine({ session_id: text } as LogRow)
    .split(',')
    .slice(-2)[0];

describe('a cell of the file', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['＝1+1', "'＝1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\n=1', '"\'\n\'=1"'],
    ['a;=1+1', "a;'=1+1"],
    ['a;"=1+1', `"a;""'=1+1"`],
    ['a\t "=1+1', `"a\t ""'=1+1"`],
    ['"=1+1', `"""'=1+1"`],
    ['a\r\n-1', '"a\r\n\'-1"'],
  ])('%j begins no formula, wherever a spreadsheet may begin a cell', (text, cell) => {
    expect(cellOf(text)).toBe(cell);
  });

  it.each(['a=1', 'a;b', 's-1', '3+4', 'x@y.example'])('%j stays as it is', (text) => {
    expect(cellOf(text)).toBe(text);
  });
});
