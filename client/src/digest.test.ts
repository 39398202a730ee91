import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { hmacSha256, sha256 } from './digest.ts';

it('gives what the standard defines, for every length around a block', () => {
  const texts = [
    '',
    'abc',
    'žluťoučký 🐎',
    ...Array.from({ length: 140 }, (_, length) => 'a'.repeat(length)),
  ];
  for (const text of texts) expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

it('signs as the standard defines, with keys around a block', () => {
  for (const length of [0, 1, 24, 63, 64, 65, 200]) {
    const key = new Uint8Array(length).map((_, index) => index * 7);
    const text = `msg.1764460800.${'ž🐎'.repeat(length)}`;
    expect(Buffer.from(hmacSha256(key, text))).toEqual(createHmac('sha256', key).update(text).digest());
  }
});
