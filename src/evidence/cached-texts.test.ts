import { beforeEach, describe, expect, it } from 'vitest';
import { type CachedTexts, createCachedTexts, type StoredText, type TextCache } from './cached-texts.ts';

let stored: Map<string, StoredText>;
let reads: string[];
let isDown: boolean;

beforeEach(() => {
  stored = new Map([['name:a', { text: 'kept', expiresAt: 5 }]]);
  [reads, isDown] = [[], false];
});

function open(isFar: boolean): CachedTexts<string> {
  function read(name: string) {
    reads.push(name);
    if (isDown) throw new Error('the database is away');
    return stored.get(name);
  }
  const texts: TextCache = {
    get: () => undefined,
    read: isFar ? async (name) => read(name) : read,
    set: (name, text, expiresAt) => stored.set(name, { text, expiresAt }),
  };
  return createCachedTexts<string>({ texts, nameOf: (key) => `name:${key}`, capacity: 10, reads: 'surely' });
}

const textOf = (value: StoredText | undefined) => value?.text ?? 'nothing';

describe('texts at hand', () => {
  it('are read at once', () => {
    const cached = open(false);
    for (const key of ['a', 'b']) cached.read(key, (text) => cached.set(key, textOf(text)));
    expect([cached.get('a'), cached.get('b'), cached.isAtHand]).toEqual(['kept', 'nothing', true]);
    expect([cached.reading('a'), cached.readingAll()]).toEqual([undefined, undefined]);
  });
});

describe('texts that are far away', () => {
  it('are read once at a time, and every caller can wait for the read', async () => {
    const cached = open(true);
    cached.read('a', (text) => cached.set('a', textOf(text)));
    cached.read('a', () => cached.set('a', 'read twice'));
    expect([cached.get('a'), cached.isAtHand, reads]).toEqual([undefined, false, ['name:a']]);
    await cached.reading('a');
    expect([cached.get('a'), cached.reading('a')]).toEqual(['kept', undefined]);
  });
});

it.each([false, true])('tells a text that cannot be read from an absent one; far away: %s', async (isFar) => {
  const cached = open(isFar);
  isDown = true;
  const outcome: string[] = [];
  cached.read(
    'a',
    () => outcome.push('read'),
    () => outcome.push('failed'),
  );
  await cached.readingAll();
  expect(outcome).toEqual(['failed']);
});

it('writes under the name of the key, and forgets only what memory holds', () => {
  const cached = open(false);
  cached.set('b', 'new');
  cached.write('b', { text: 'new', expiresAt: 9 });
  cached.clear();
  expect([cached.get('b'), stored.get('name:b')]).toEqual([undefined, { text: 'new', expiresAt: 9 }]);
});
