import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { assert, integer, ipV4, ipV6, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInRange, parseIpAddress, parseIpRange } from './ip-address.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7\t', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:DB8:0:0::1]', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
  ])('%j is %s', (text, canonical) => {
    expect(parseIpAddress(text)?.text).toBe(canonical);
  });

  it.each([
    '',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.256',
    '0313.0.113.7',
    '0xcb007107',
    '203.0.113.7, 198.51.100.1',
    '[203.0.113.7',
    ':::',
    '1::2::3',
    '2001:db8::1/64',
    'example.com',
    '[]',
    '::1%',
    '::1]@evil',
  ])('%j is none', (text) => {
    expect(parseIpAddress(text)).toBeNull();
  });

  it('is what Node.js takes for one', () => {
    assert(
      property(oneof(ipV4(), ipV6(), string()), (text) => {
        const parsed = parseIpAddress(text);
        if (isIPv4(text) || isIPv6(text)) expect(parsed).not.toBeNull();
        if (parsed === null) return;
        expect(isIPv4(parsed.text) || isIPv6(parsed.text)).toBe(true);
        expect(parseIpAddress(parsed.text)).toEqual(parsed);
      }),
    );
  });
});

describe('a range', () => {
  it.each(['', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', 'lan/8'])(
    '%j is none',
    (text) => {
      expect(parseIpRange(text)).toBeNull();
    },
  );

  it('contains what a block list of Node.js contains', () => {
    const nearby = property(
      ipV4(),
      integer({ min: 0, max: 32 }),
      integer({ min: 0, max: 31 }),
      (base, bits, flipped) => {
        const list = new BlockList();
        list.addSubnet(base, bits);
        const range = parseIpRange(`${base}/${bits}`);
        const value = base.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
        const other = (value ^ (1 << flipped)) >>> 0;
        const text = [24, 16, 8, 0].map((shift) => (other >>> shift) & 0xff).join('.');
        const address = parseIpAddress(text);
        expect(address !== null && range !== null && isInRange(address, range)).toBe(list.check(text));
      },
    );
    assert(nearby);
    const long = property(ipV6(), ipV6(), integer({ min: 1, max: 128 }), (base, text, bits) => {
      const range = parseIpRange(`${base}/${bits}`);
      const [address, own] = [parseIpAddress(text), parseIpAddress(base)];
      if (range === null || address === null || own === null || own.bytes.length === 4) return;
      const list = new BlockList();
      list.addSubnet(base, bits, 'ipv6');
      expect(isInRange(own, range)).toBe(true);
      if (address.bytes.length === 16) expect(isInRange(address, range)).toBe(list.check(text, 'ipv6'));
    });
    assert(long);
  });
});
