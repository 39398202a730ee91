import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromWords, networkOf } from '../address/ip.ts';
import { endOfVoice, voiceOf } from './velocity-event.ts';

/** Words with groups of zeros, which the text leaves out. */
const words = fc
  .array(fc.oneof(fc.constant(0), fc.constant(1), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) =>
    [0, 2, 4, 6].map((at) => ((groups[at] as number) * 0x10000 + (groups[at + 1] as number)) >>> 0),
  );
const textOf = (address: readonly number[]) => networkOf(fromWords(address));

it('takes IPv6 networks for one voice exactly where they are of one /48', () => {
  const isOne = (one: readonly number[], two: readonly number[]) =>
    one[0] === two[0] && (one[1] as number) >>> 16 === (two[1] as number) >>> 16;
  fc.assert(
    fc.property(words, words, fc.nat(0xffff), (one, two, subnet) => {
      const sibling = [one[0] as number, (((one[1] as number) & 0xffff0000) | subnet) >>> 0, 0, 0];
      for (const other of [two, sibling])
        expect(voiceOf(textOf(one)) === voiceOf(textOf(other))).toBe(isOne(one, other));
    }),
  );
});

it('takes each IPv4 address for one', () => {
  for (const network of ['203.0.113.7', '203.0.113.70']) expect(voiceOf(network)).toBe(network);
});

it('reads the same in bytes', () => {
  fc.assert(
    fc.property(fc.oneof(words.map(textOf), fc.ipV4()), fc.nat(9), (network, start) => {
      const bytes = Buffer.from(`${'x'.repeat(start)}${network}:`);
      const end = endOfVoice(bytes, start, start + network.length);
      expect(bytes.toString('utf8', start, end)).toBe(voiceOf(network));
    }),
  );
});
