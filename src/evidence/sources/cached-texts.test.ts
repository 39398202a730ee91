import { beforeEach, expect, it } from 'vitest';
import type { StoredText, TextCache } from '../../model/text-cache.ts';
import { createMemoryTexts } from '../memory-texts.ts';
import { type CachedTexts, createCachedTexts } from './cached-texts.ts';

let stored: Map<string, StoredText>;
let reads: string[];
let isDown: boolean;

beforeEach(() => {
  stored = new Map([['name:a', { text: 'kept', expiresAt: 5 }]]);
  [reads, isDown] = [[], false];
});

function open(): CachedTexts<string> {
  const texts: TextCache = {
    ...createMemoryTexts(stored),
    async read(name) {
      reads.push(name);
      if (isDown) throw new Error('the database is away');
      return stored.get(name);
    },
  };
  return createCachedTexts<string>({ texts, nameOf: (key) => `name:${key}`, capacity: 10, reads: 'surely' });
}

const textOf = (value: StoredText | undefined) => value?.text ?? 'nothing';

it('reads a text once at a time, and every caller waits for that read', async () => {
  const cached = open();
  const first = cached.read('a', (text) => cached.set('a', textOf(text)));
  const second = cached.read('a', () => cached.set('a', 'read twice'));
  expect([cached.get('a'), reads, second === first, cached.whenRead('a') === first]).toEqual([
    undefined,
    ['name:a'],
    true,
    true,
  ]);
  await second;
  expect([cached.get('a'), cached.whenRead('a')]).toEqual(['kept', undefined]);
  await cached.read('b', (text) => cached.set('b', textOf(text)));
  expect(cached.get('b')).toBe('nothing');
});

it('distinguishes a text that cannot be read from an absent one', async () => {
  const cached = open();
  isDown = true;
  const outcome: string[] = [];
  void cached.read(
    'a',
    () => outcome.push('read'),
    () => outcome.push('failed'),
  );
  await cached.whenAllRead();
  expect(outcome).toEqual(['failed']);
});

it('writes under the name of the key, and removes texts only from memory', () => {
  const cached = open();
  cached.set('b', 'new');
  cached.write('b', { text: 'new', expiresAt: 9 });
  cached.clear();
  expect([cached.get('b'), stored.get('name:b')]).toEqual([undefined, { text: 'new', expiresAt: 9 }]);
});
