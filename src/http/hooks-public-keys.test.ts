import { errors, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { createPublicKeys } from './hooks-public-keys.ts';

const URL = 'https://auth.example/.well-known/jwks.json';
const refuse = async (): Promise<never> => {
  throw new errors.JWKSNoMatchingKey();
};

it('fetches keys once for many simultaneous requests, even if all requests are invalid', async () => {
  const { publicKey } = await generateKeyPair('Ed25519');
  const text = JSON.stringify({ keys: [await exportJWK(publicKey)] });
  const source = { fetched: 0, isDown: true, now: 0 };
  const verifyWith = createPublicKeys({
    clock: () => source.now,
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
    const verifyWith = createPublicKeys({ clock: () => 0, fetchText: async () => text })('public');
    await expect(verifyWith(URL, async () => true)).rejects.toThrow();
  }
});

describe('an outage of the server of the keys', () => {
  const source = { now: 0, isDown: false };
  async function open() {
    const { publicKey } = await generateKeyPair('Ed25519');
    const text = JSON.stringify({ keys: [await exportJWK(publicKey)] });
    source.now = 0;
    source.isDown = false;
    return createPublicKeys({
      clock: () => source.now,
      async fetchText() {
        if (source.isDown) throw new Error('down');
        return text;
      },
    })('public');
  }

  it('lets the keys from before verify, for a day', async () => {
    const verifyWith = await open();
    const verified: unknown[] = [];
    const verify = async (keys: unknown) => {
      verified.push(keys);
      return true;
    };
    await verifyWith(URL, verify);
    source.isDown = true;
    source.now = 86_000_000;
    expect(await verifyWith(URL, verify)).toBe(true);
    expect(verified[1]).toBe(verified[0]);
    expect(await verifyWith(URL, refuse)).toBe(false);
    source.now = 2 * 86_400_000;
    await expect(verifyWith(URL, verify)).rejects.toThrow('down');
  });
});
