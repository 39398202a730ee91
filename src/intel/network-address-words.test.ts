import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWords, parseIp } from '../address/ip.ts';
import { readWords } from './network-address-words.ts';

const word = fc.oneof(fc.constantFrom(0, 1, 0xffff, 0x10000, 0xffffffff), fc.nat(0xffffffff));
const groups = fc.array(fc.constantFrom('0', '1', 'ffff', 'AB12', '00f', ''), {
  minLength: 1,
  maxLength: 10,
});

function read(text: string, width: 1 | 4): number[] | undefined {
  const target = new Uint32Array(width);
  return readWords(text, width, target, 0) ? [...target] : undefined;
}

describe('readWords', () => {
  it('reads the same words as the canonical text of an address', () => {
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (words) => {
        expect(read(fromWords([words[0]]).text, 1)).toEqual([words[0]]);
        const { text } = fromWords(words);
        if (!text.includes('.')) expect(read(text, 4)).toEqual(words);
      }),
    );
  });

  it('accepts the same IPv6 texts as src/address, except dotted endings', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        const text = parts.join(':');
        const address = parseIp(text);
        const expected = address?.version === 6 ? address.words : undefined;
        // src/address reads an IPv4-mapped address, in any spelling, as IPv4.
        if (address?.version !== 4) expect(read(text, 4)).toEqual(expected);
      }),
    );
  });

  it.each(['', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '1..2.3', '1.2.3.4 ', '::1'])(
    'refuses %j',
    (text) => {
      expect(read(text, 1)).toBeUndefined();
    },
  );
});
