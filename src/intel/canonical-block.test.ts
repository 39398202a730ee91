import { describe, expect, it } from 'vitest';
import { parseIp } from '../address/ip.ts';
import { canonicalBlock } from './canonical-block.ts';

describe('canonicalBlock', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['192.0.2.7/31', '192.0.2.6/31'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['192.0.2.7/0', '0.0.0.0/0'],
    ['2001:DB8::7', '2001:db8::7'],
    ['2001:db8::7/128', '2001:db8::7'],
    ['2001:db8::7/127', '2001:db8::6/127'],
    ['2001:db8:1:2:3:4:5:6/65', '2001:db8:1:2::/65'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['2001:0db8:0001::/48', '2001:db8:1::/48'],
    ['2001:db8:1::/32', '2001:db8::/32'],
    ['2001:db8:0:1::/64', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:5::/112', '2001:db8:1:2:3:4:5:0/112'],
    ['2001:db8::1/0', '::/0'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['::ffff:c000:207/120', '192.0.2.0/24'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['64:ff9b::c000:207/120', '192.0.2.0/24'],
    ['64:ff9b:1:2::192.0.2.7', '192.0.2.7'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalBlock(text)).toBe(canonical);
  });

  it('agrees with the reader of single addresses, for any spelling of an IPv6 address', () => {
    const groups = ['0', '0', '0', '1', 'a0', '0db8', 'FFFF'];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const different: unknown[] = [];
    for (let round = 0; round < 5_000; round += 1) {
      const before = Array.from({ length: next(7) }, () => groups[next(groups.length)] as string);
      const after = Array.from({ length: next(7 - before.length) }, () => groups[next(groups.length)]);
      const text = `${before.join(':')}::${after.join(':')}`;
      if (canonicalBlock(text) !== parseIp(text)?.text) different.push(text);
      const [base] = canonicalBlock(`${text}/127`)?.split('/') ?? [];
      if (base !== undefined && parseIp(base)?.text !== base) different.push(`${text}/127`);
    }
    expect(different).toEqual([]);
  });
});
