import { expect, it } from 'vitest';
import { createTwoGenerationCache } from './two-generation-cache.ts';

it('never contains more than its capacity', () => {
  const recent = createTwoGenerationCache<number>(10);
  for (let at = 0; at < 100; at += 1) {
    recent.set(`key${at % 37}`, at);
    recent.get(`key${(at * 7) % 37}`);
    expect(recent.size).toBeLessThanOrEqual(10);
  }
});

it('keeps what is used and forgets what is not', () => {
  const recent = createTwoGenerationCache<number>(10);
  recent.set('used', 1);
  recent.set('unused', 2);
  for (let at = 0; at < 50; at += 1) {
    recent.set(`key${at}`, at);
    expect(recent.get('used')).toBe(1);
  }
  expect(recent.get('unused')).toBeUndefined();
});

it('gives the last value of a key', () => {
  const recent = createTwoGenerationCache<number>(4);
  recent.set('a', 1);
  for (const key of ['b', 'c', 'a']) recent.set(key, 2);
  recent.set('d', 3);
  expect(recent.get('a')).toBe(2);
  recent.clear();
  expect([recent.get('a'), recent.size]).toEqual([undefined, 0]);
  recent.set('a', 4);
  expect([recent.get('b'), recent.get('a'), recent.get('a')]).toEqual([undefined, 4, 4]);
  recent.set('a', 5);
  expect(recent.get('a')).toBe(5);
});
