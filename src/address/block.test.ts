import { describe, expect, it } from 'vitest';
import { readBlockRange } from './block.ts';

describe('readBlockRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0', '203.0.113.255'],
    ['203.0.113.0/23', '203.0.112.0', '203.0.113.255'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['::ffff:203.0.113.0/120', '203.0.113.0', '203.0.113.255'],
    ['2001:DB8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::1/65', '2001:db8::', '2001:db8::7fff:ffff:ffff:ffff'],
    ['::/0', '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s goes from %s to %s', (text, first, last) => {
    expect(readBlockRange(text)).toEqual({ first, last });
  });

  it.each(['', 'example.com', '203.0.113.256', '203.0.113.0/33', '203.0.113.0/', '2001:db8::/129'])(
    '%j is none',
    (text) => {
      expect(readBlockRange(text)).toBeUndefined();
    },
  );
});
