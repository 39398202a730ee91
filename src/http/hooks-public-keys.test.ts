import { errors, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import type { StoredText } from '../model/text-cache.ts';
import { createPublicKeys } from './hooks-public-keys.ts';

const URL = 'https://auth.example/.well-known/jwks.json';
/** Texts that outlive the keys in memory. */
function keepTexts() {
  const kept = new Map<string, StoredText>();
  return {
    kept,
    get: async (name: string) => kept.get(name),
    set: (name: string, text: string, expiresAt: number) => void kept.set(name, { text, expiresAt }),
  };
}
const refuse = async (): Promise<never> => {
  throw new errors.JWKSNoMatchingKey();
};

it('fetches keys once for many simultaneous requests, even if all requests are invalid', async () => {
  const { publicKey } = await generateKeyPair('Ed25519');
  const text = JSON.stringify({ keys: [await exportJWK(publicKey)] });
  const source = { fetched: 0, isDown: true, now: 0 };
  const verifyWith = createPublicKeys({
    clock: () => source.now,
    wallClock: () => source.now,
    texts: keepTexts(),
    async fetchText() {
      source.fetched += 1;
      if (source.isDown) throw new Error('down');
      return text;
    },
  })('public');
  const fetchesOf = async (verify: () => Promise<boolean>) => {
    const before = source.fetched;
    await Promise.allSettled(Array.from({ length: 20 }, () => verifyWith(URL, verify)));
    return source.fetched - before;
  };
  expect(await fetchesOf(refuse)).toBe(1);
  source.now += 11_000;
  expect(await fetchesOf(refuse)).toBe(1);
  source.isDown = false;
  source.now += 11_000;
  expect(await fetchesOf(async () => true)).toBe(1);
  expect(await fetchesOf(refuse)).toBe(0);
  source.now += 11_000;
  expect(await fetchesOf(refuse)).toBe(1);
  source.now += 600_000;
  expect(await fetchesOf(async () => true)).toBe(1);
});

it('treats an invalid key set as a failure of the provider, not as a false token', async () => {
  for (const text of ['<html>', '{}', '{"keys":7}']) {
    const clocks = { clock: () => 0, wallClock: () => 0 };
    const fetchText = async () => text;
    const verifyWith = createPublicKeys({ ...clocks, texts: keepTexts(), fetchText })('public');
    await expect(verifyWith(URL, async () => true)).rejects.toThrow();
  }
});

describe('an outage of the server of the keys', () => {
  /** Each `start` is a process of its own, with the same stored texts. */
  async function scene() {
    const { publicKey } = await generateKeyPair('Ed25519');
    const text = JSON.stringify({ keys: [await exportJWK(publicKey)] });
    const source = { now: 0, isDown: false, text };
    const texts = keepTexts();
    const start = (reach: 'public' | 'anywhere' = 'public') =>
      createPublicKeys({
        clock: () => source.now,
        wallClock: () => source.now,
        texts,
        async fetchText() {
          if (source.isDown) throw new Error('down');
          return source.text;
        },
      })(reach);
    return { source, texts, start };
  }
  const accept = async () => true;

  it('lets the keys from before verify, for a day', async () => {
    const { source, start } = await scene();
    const verifyWith = start();
    await verifyWith(URL, accept);
    source.isDown = true;
    source.now = 86_000_000;
    expect(await verifyWith(URL, accept)).toBe(true);
    expect(await verifyWith(URL, refuse)).toBe(false);
    source.now = 2 * 86_400_000;
    await expect(verifyWith(URL, accept)).rejects.toThrow('down');
  });

  it('lets them verify after a restart, too, and refuses what they did not sign', async () => {
    const { source, start } = await scene();
    await start()(URL, accept);
    source.isDown = true;
    source.now = 86_000_000;
    expect(await start()(URL, accept)).toBe(true);
    expect(await start()(URL, refuse)).toBe(false);
    source.now = 86_400_000;
    await expect(start()(URL, accept)).rejects.toThrow('down');
  });

  it('does not lend the keys of one place to another, nor names a place in what is stored', async () => {
    const { source, texts, start } = await scene();
    await start()(URL, accept);
    source.isDown = true;
    await expect(start()(`${URL}?other`, accept)).rejects.toThrow('down');
    await expect(start('anywhere')(URL, accept)).rejects.toThrow('down');
    expect(JSON.stringify([...texts.kept])).not.toContain('auth.example');
  });

  it('keeps no text that is no set of keys', async () => {
    const { source, start } = await scene();
    await start()(URL, accept);
    source.text = '<html>';
    expect(await start()(URL, accept)).toBe(true);
    source.text = '{"keys":7}';
    expect(await start()(URL, accept)).toBe(true);
  });
});
