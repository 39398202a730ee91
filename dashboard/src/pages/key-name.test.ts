import { expect, it } from 'vitest';
import { keyName } from './key-name.ts';

const key = (id: string, name: string, mode: 'live' | 'test' = 'live') => ({
  id,
  name,
  mode,
  prefix: `sk_${id}`,
});

it('is enough where it is the only one of its mode', () => {
  const shop = key('a', 'Web shop');
  expect(keyName(shop, [shop, key('b', 'Web shop', 'test'), key('c', 'app')])).toBe('Web shop');
});

it('comes with the first letters of the key where another one has it, in any case and with any spaces', () => {
  const [shop, other] = [key('a', 'Web shop'), key('b', 'web  SHOP')];
  expect([keyName(shop, [shop, other]), keyName(other, [shop, other])]).toEqual([
    'Web shop (sk_a…)',
    'web  SHOP (sk_b…)',
  ]);
});
