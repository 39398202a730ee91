import { describe, expect, it } from 'vitest';
import { readCsv } from './csv.ts';

const rows = (text: string): string[][] => [...readCsv(text)];

describe('readCsv', () => {
  it('splits plain rows', () => {
    expect(rows('a,b\nc,d\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('reads a last row without a line end, skips empty lines and strips CR', () => {
    expect(rows('a,b\r\n\r\n\nc,')).toEqual([
      ['a', 'b'],
      ['c', ''],
    ]);
  });

  it('keeps commas, doubled quotes and line ends inside quotes', () => {
    expect(rows('1,"LLC ""SPUTNIK"", Moscow",x\n2,"two\nlines"\r\n3,"","end"')).toEqual([
      ['1', 'LLC "SPUTNIK", Moscow', 'x'],
      ['2', 'two\nlines'],
      ['3', '', 'end'],
    ]);
  });

  it('refuses a quote that is never closed', () => {
    expect(() => rows('1,"open\n2,b')).toThrow('never closed');
  });
});
