import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from './digest.ts';

it('gives what the standard defines, for every length around a block', () => {
  const texts = [
    '',
    'abc',
    'žluťoučký 🐎',
    ...Array.from({ length: 140 }, (_, length) => 'a'.repeat(length)),
  ];
  for (const text of texts) expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});
