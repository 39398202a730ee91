/** How every store must keep the keys that addresses are hashed with. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeHashKeys(store: () => Store): void {
  describe('keys for address hashes', () => {
    const by = 'command line (jo@host)';
    const audit = { at: NOW, by, accountId: null, action: 'secret.test', target: 'key', detail: '' };

    it('do not exist at first, then are the secret itself and the new keys, newest first', async () => {
      expect(await store().hashKeys()).toEqual([]);
      const before = await store().hashKeysVersion();
      const first = await store().addHashKey({ encrypted: 'one', createdAt: NOW }, audit);
      expect(first).toEqual({ number: 1, encrypted: 'one', createdAt: NOW });
      expect(await store().hashKeysVersion()).toBeGreaterThan(before);
      await store().addHashKey({ encrypted: 'two', createdAt: NOW + 1 });
      const keys = await store().hashKeys();
      expect(keys.map(({ number, encrypted }) => [number, encrypted])).toEqual([
        [2, 'two'],
        [1, 'one'],
        [0, null],
      ]);
      expect((await store().auditEntries(null, null, 1)).entries).toEqual([audit]);
    });

    it('are dropped one by one, never the newest, and numbers are not reused', async () => {
      const before = await store().hashKeysVersion();
      expect(await store().dropHashKey(0)).toBe(true);
      expect(await store().dropHashKey(0)).toBe(false);
      expect(await store().dropHashKey(2)).toBe(false);
      expect(await store().hashKeysVersion()).toBeGreaterThan(before);
      expect((await store().addHashKey({ encrypted: 'three', createdAt: NOW + 2 })).number).toBe(3);
      expect((await store().hashKeys()).map(({ number }) => number)).toEqual([3, 2, 1]);
    });
  });
}
