import { expect, it } from 'vitest';
import { KeyedHash } from './keyed-hash.ts';

const digest = (secret: string, account: number, text: string) => {
  const hash = new KeyedHash(Buffer.from(secret));
  hash.digest(account, text);
  return `${hash.low} ${hash.high}`;
};

it('depends on the secret, the account, and every character of the text', () => {
  const inputs: Parameters<typeof digest>[] = [
    ['12345678', 1, 'a'],
    ['12345679', 1, 'a'],
    ['02345678', 1, 'a'],
    ['12345678', 2, 'a'],
    ['12345678', 1, ''],
    ['12345678', 1, 'b'],
    ['12345678', 1, 'a\0'],
    ['12345678', 1, 'ab'],
    ['12345678', 1, 'ba'],
    ['12345678', 1, 'ab\0\0'],
    ['12345678', 1, 'abcde'],
    ['12345678', 1, 'abcdé'],
    ['12345678', 1, 'abcdĀ'],
    ['12345678', 1, '扡摣e'],
    ['12345678', 1, 'a'.repeat(1_000)],
    ['12345678', 1, 'ā'.repeat(1_000)],
  ];
  expect(new Set(inputs.map((input) => digest(...input))).size).toBe(inputs.length);
  for (const input of inputs) expect(digest(...input)).toBe(digest(...input));
});

it('is the same for a text and for its UTF-8', () => {
  const hash = new KeyedHash(Buffer.from('12345678'));
  for (const text of ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'grün.example', '☃🦊', 'x'.repeat(999)]) {
    const bytes = Buffer.from(`<${text}>`);
    hash.digestBytes(3, bytes, 1, bytes.length - 1);
    expect(`${hash.low} ${hash.high}`).toBe(digest('12345678', 3, text));
  }
});

it('spreads similar keys over both halves', () => {
  const hash = new KeyedHash(Buffer.from('12345678'));
  const [lows, highs] = [new Set<number>(), new Set<number>()];
  for (let number = 0; number < 50_000; number += 1) {
    hash.digest(number % 7, `person-${number}`);
    lows.add(hash.low & 0xffff);
    highs.add(hash.high);
  }
  // Random values: 65,536 · (1 − e^(−50,000 ∕ 65,536)) = 34,980 of the lower 16 bits, and 0.3 pairs of the 32.
  expect(lows.size).toBeGreaterThan(34_400);
  expect(lows.size).toBeLessThan(35_600);
  expect(highs.size).toBeGreaterThan(49_990);
});
