import { describe, expect, it } from 'vitest';
import { hashKey } from './api-keys.ts';
import { createKeyHashes } from './key-hashes.ts';

const keyOf = (number: number) => `sk_live_${String(number).padStart(32, '0')}`;

describe('hashes of keys', () => {
  it('are the same every time, also when there are more keys than the cache takes', () => {
    const hashOf = createKeyHashes(() => true);
    const keys = Array.from({ length: 1_500 }, (_, at) => keyOf(at));
    for (let round = 0; round < 2; round += 1) expect(keys.map(hashOf)).toEqual(keys.map(hashKey));
  });

  it('are not cached for unknown keys, so that guesses take no memory', () => {
    const hashes: string[] = [];
    const hashOf = createKeyHashes((hash) => {
      hashes.push(hash);
      return hash === hashKey(keyOf(1));
    });
    for (const secret of [keyOf(1), keyOf(1), keyOf(2), keyOf(2)]) hashOf(secret);
    expect(hashes).toEqual([keyOf(1), keyOf(2), keyOf(2)].map(hashKey));
  });

  it('are empty for text that does not have the form of a key', () => {
    expect(
      ['', 'sk_live_', `${keyOf(1)} `, 'sk_live_ü'.padEnd(40, '0')].map(createKeyHashes(() => true)),
    ).toEqual(Array(4).fill(''));
  });
});
