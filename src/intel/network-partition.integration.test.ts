import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWords } from '../address/ip.ts';
import { flatten } from './network-partition.ts';
import { encodeRangeIndex, openRangeIndex } from './network-range-index.ts';
import { RangeList } from './network-range-list.ts';

type Width = 1 | 4;
type Plain = readonly [first: number, last: number];

/** A few addresses around a carry between words, so that every boundary case is near. */
const BASES = {
  1: [[0x00ffff00], [0xfffffff0]],
  4: [
    [0x20010db7, 0xffffffff, 0xffffffff, 0xfffffff0],
    [0xffffffff, 0xffffffff, 0xffffffff, 0xfffffff0],
  ],
} as const;

function addressAt(base: readonly number[], offset: number): number[] {
  const words = [...base];
  let carry = offset;
  for (let word = words.length - 1; word >= 0 && carry > 0; word -= 1) {
    const sum = (words[word] as number) + carry;
    words[word] = sum % 0x100000000;
    carry = Math.floor(sum / 0x100000000);
  }
  return words;
}

/** Labels over an offset, least specific first. */
function reference(ranges: readonly Plain[], offset: number): number[] {
  return ranges
    .map(([first, last], label) => ({ first, last, label }))
    .filter(({ first, last }) => first <= offset && offset <= last)
    .sort((a, b) => a.first - b.first || b.last - a.last || a.label - b.label)
    .map(({ label }) => label);
}

function check(width: Width, base: readonly number[], size: number, ranges: readonly Plain[]): void {
  const list = new RangeList(width, 1);
  let accepted = 0;
  for (const [label, [first, last]] of ranges.entries()) {
    const text = (offset: number): string => fromWords(addressAt(base, offset)).text;
    accepted += Number(list.push(text(first), text(last), label));
  }
  expect(accepted).toBe(ranges.length);
  const seen: number[][] = [[]];
  const partition = flatten(list, (labels) => seen.push([...labels]) - 1);
  const index = openRangeIndex(encodeRangeIndex(partition, width), width);
  const offsets = Array.from({ length: size }, (_, offset) => offset);
  // Compared as one text: comparing arrays for each address would take most of the time of this test.
  const found = offsets.map((offset) => seen[index.valueAt(addressAt(base, offset))]?.join());
  expect(found.join(' ')).toBe(offsets.map((offset) => reference(ranges, offset).join()).join(' '));
}

const SIZE = 16;
const plainRanges = fc.array(
  fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1)).map(([a, b]): Plain => [Math.min(a, b), Math.max(a, b)]),
  { maxLength: 12 },
);

describe('flatten', () => {
  it.each([
    { width: 1 as Width, base: BASES[1][0] },
    { width: 1 as Width, base: BASES[1][1] },
    { width: 4 as Width, base: BASES[4][0] },
    { width: 4 as Width, base: BASES[4][1] },
  ])('gives the same as a check of every range, width $width, from $base', ({ width, base }) => {
    fc.assert(fc.property(plainRanges, (ranges) => check(width, base, SIZE, ranges)));
  });

  it('joins neighbours with the same value', () => {
    const list = new RangeList(1);
    list.push('1.0.0.0', '1.0.0.255', 7);
    list.push('1.0.1.0', '1.0.1.255', 7);
    const { starts, values } = flatten(list, ([label]) => label as number);
    expect([...starts]).toEqual([0, 0x01000000, 0x01000200]);
    expect([...values]).toEqual([0, 7, 0]);
  });
});

describe('RangeList', () => {
  it('accepts CIDR blocks and single addresses', () => {
    const list = new RangeList(1);
    expect(list.pushBlock('192.0.2.0/24', 0)).toBe(true);
    expect(list.pushBlock('192.0.2.9', 0)).toBe(true);
    expect(list.pushBlock('0.0.0.0/0', 0)).toBe(true);
    expect([...list.starts.slice(0, 3)]).toEqual([0xc0000200, 0xc0000209, 0]);
    expect([...list.ends.slice(0, 3)]).toEqual([0xc00002ff, 0xc0000209, 0xffffffff]);
    const wide = new RangeList(4);
    expect(wide.pushBlock('2001:db8::/33', 0)).toBe(true);
    expect([...wide.ends.slice(0, 4)]).toEqual([0x20010db8, 0x7fffffff, 0xffffffff, 0xffffffff]);
  });

  it.each(['192.0.2.1/24', '192.0.2.0/33', '192.0.2.0/', '192.0.2.0/-1', '192.0.2/24', 'a'])(
    'refuses %s',
    (block) => {
      const list = new RangeList(1);
      expect(list.pushBlock(block, 0)).toBe(false);
      expect(list.count).toBe(0);
    },
  );

  it('refuses a range that runs backwards', () => {
    expect(new RangeList(1).push('1.0.0.2', '1.0.0.1', 0)).toBe(false);
  });
});
