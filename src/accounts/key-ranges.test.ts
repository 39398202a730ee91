import { describe, expect, it } from 'vitest';
import { createRangeCheck, readRange } from './key-ranges.ts';

describe('readRange', () => {
  it.each([
    [' 203.0.113.7 ', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1::/32', '2001:db8::/32'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ])('writes %s as %s', (text, range) => expect(readRange(text)).toBe(range));

  it.each([
    '',
    'office',
    '203.0.113',
    '203.0.113.0/33',
    '203.0.113.0/',
    '2001:db8::/129',
    '1.2.3.4/8/8',
    'fe80::1%eth0',
  ])('refuses %j', (text) => expect(readRange(text)).toBeUndefined());
});

describe('createRangeCheck', () => {
  it('keeps to the first and the last address of a block', () => {
    const check = createRangeCheck(['203.0.112.0/23', '2001:db8:0:4000::/50']);
    expect(
      ['203.0.111.255', '203.0.112.0', '203.0.113.255', '203.0.114.0', '::cb00:7000'].map(check),
    ).toEqual([false, true, true, false, false]);
    expect(
      ['2001:db8:0:3fff::', '2001:db8:0:4000::', '2001:db8:0:7fff:ffff::1', '2001:db8:0:8000::'].map(check),
    ).toEqual([false, true, true, false]);
  });
});
