import { describe, expect, it } from 'vitest';
import { readAsns, readLines } from './text-lines.ts';

describe('readLines', () => {
  it('drops comments, blank lines and surrounding space', () => {
    expect([...readLines('# head\r\n\n  a.com  \r\nb.com # why\n')]).toEqual(['a.com', 'b.com']);
  });

  it('takes other marks for comments, and a last line without its end', () => {
    expect([...readLines('; head\na # b ; c\n\n;\nd', /;/)]).toEqual(['a # b', 'd']);
  });
});

describe('readAsns', () => {
  it('reads number and name, tabs or spaces between', () => {
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
