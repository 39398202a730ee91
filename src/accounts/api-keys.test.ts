import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashKey, hasKeyForm, makeKey } from './api-keys.ts';

const make = (mode: 'live' | 'test') =>
  makeKey({ id: 'key_1', accountId: 'acc_1', mode, name: 'a key', thresholds: null, now: 1_000 });

describe('makeKey', () => {
  it.each(['live', 'test'] as const)('makes a %s key of at least 160 bits in base62', (mode) => {
    const { key, secret } = make(mode);
    const random = secret.slice(`sk_${mode}_`.length);
    expect(secret.startsWith(`sk_${mode}_`)).toBe(true);
    expect(random).toMatch(/^[0-9A-Za-z]+$/);
    expect(random.length * Math.log2(62)).toBeGreaterThanOrEqual(160);
    expect(key).toMatchObject({
      mode,
      prefix: secret.slice(0, 12),
      revokedAt: null,
      lastUsedAt: null,
      createdAt: 1_000,
    });
  });

  it('stores a SHA-256 of the key and nothing that reveals the key', () => {
    const { key, secret } = make('live');
    expect(key.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(key.hash).toBe(hashKey(secret));
    expect(JSON.stringify(key)).not.toContain(secret.slice(12));
  });

  it('never makes the same key twice, and uses all characters equally often', () => {
    const secrets = Array.from({ length: 2_000 }, () => make('live').secret);
    expect(new Set(secrets).size).toBe(2_000);
    const counts = new Map<string, number>();
    for (const letter of secrets.flatMap((secret) => [...secret.slice(8)]))
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 64,000 letters: about 1,032 of each; a bias of modulo would show as 25 %.
    for (const count of counts.values()) expect(Math.abs(count - 1_032)).toBeLessThan(200);
  });
});

describe('hasKeyForm', () => {
  it.each([
    '',
    'sk_live_',
    'sk_live_short',
    'sk_prod_0123456789abcdefghijklmnopqrstuv',
    `sk_live_${'a'.repeat(65)}`,
    `sk_live_${'é'.repeat(32)}`,
  ])('refuses %j', (text) => {
    expect(hasKeyForm(text)).toBe(false);
  });

  it('accepts what makeKey makes', () => {
    expect(hasKeyForm(make('test').secret)).toBe(true);
  });
});
