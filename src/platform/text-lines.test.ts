import { describe, expect, it } from 'vitest';
import { readAsns, readCsv, readLines } from './text-lines.ts';

describe('readLines', () => {
  it('drops comments, blank lines and surrounding space', () => {
    expect([...readLines('# head\r\n\n  a.com  \r\nb.com # why\n')]).toEqual(['a.com', 'b.com']);
  });

  it('accepts other comment marks, and a last line without an end', () => {
    expect([...readLines('; head\na # b ; c\n\n;\nd', /;/)]).toEqual(['a # b', 'd']);
  });
});

describe('readAsns', () => {
  it('reads number and name, with tabs or spaces between them', () => {
    expect([...readAsns('AS16509 Amazon\nas24940\tHetzner Online # DE\nAS1')]).toEqual([
      { asn: 16509, name: 'Amazon' },
      { asn: 24940, name: 'Hetzner Online' },
      { asn: 1, name: '' },
    ]);
  });

  it('refuses anything else', () => {
    expect(() => [...readAsns('<html>')]).toThrow('not an AS number');
  });
});

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
