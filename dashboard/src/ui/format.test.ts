import { describe, expect, it } from 'vitest';
import { capitalized, createNumbers, duration } from './format.ts';

const EN = createNumbers('en-US');

describe('what is written', () => {
  it('gives a share no more digits than mean something', () => {
    const { percent } = EN;
    expect([percent(0, 0), percent(1, 3), percent(1, 30), percent(1, 5000)]).toEqual([
      '0%',
      '33%',
      '3.3%',
      '< 0.1%',
    ]);
    expect([percent(98, 100), percent(399, 400)]).toEqual(['98%', '99.8%']);
    expect([percent(4999, 5000), percent(5000, 5000)]).toEqual(['> 99.9%', '100%']);
  });

  it('counts in words, in the plural unless it is one', () => {
    const { pluralize } = EN;
    expect([pluralize(1, 'signup'), pluralize(12345, 'signup')]).toEqual(['1 signup', '12,345 signups']);
    expect(pluralize(0, 'list entry', 'list entries')).toBe('0 list entries');
    expect([capitalized('allowed'), capitalized('')]).toEqual(['Allowed', '']);
  });

  it('tells times by their largest unit', () => {
    const { milliseconds } = EN;
    expect([duration(45), duration(300), duration(7200), duration(86400 * 3)]).toEqual([
      '45 s',
      '5 min',
      '2 h',
      '3 d',
    ]);
    expect([milliseconds(3.42), milliseconds(21.7), milliseconds(1234)]).toEqual([
      '3.4 ms',
      '22 ms',
      '1.2 s',
    ]);
  });

  it.each([
    ['en-US', '12,345', '12.3K', '$1,234.50', '3.3%', '1.2 s'],
    ['de', '12.345', '12.345', '1.234,50 $', '3,3 %', '1,2 s'],
    ['ar-EG', '١٢٬٣٤٥', '١٢٫٣ ألف', '‏١٬٢٣٤٫٥٠ US$', '٣٫٣٪؜', '١٫٢ s'],
  ])('writes numbers as %s does', (locale, ...written) => {
    const { grouped, short, money, percent, milliseconds } = createNumbers(locale);
    const all = [grouped(12_345), short(12_345), money(1234.5), percent(1, 30), milliseconds(1234)];
    const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');
    expect(all.map(plain)).toEqual(written.map(plain));
  });
});
