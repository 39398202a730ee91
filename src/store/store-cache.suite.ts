/** The limits of the cache that every store must respect. */
import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/expectations.ts';
import type { CacheLimits } from './cache-store.ts';
import { createPruner, pruneCache } from './pruner.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const FAR = NOW + 1_000_000_000;
const DAY_MS = 86_400_000;
const UNLIMITED: CacheLimits = {
  expiredBefore: 0,
  maxEntries: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
};

export function describeCache(storeNow: () => Store): void {
  describe('the cache', () => {
    const size = () => storeNow().cache.prune(UNLIMITED, 1);
    const prune = (limits: Partial<CacheLimits>, maxPruned: number) =>
      storeNow().cache.prune({ ...UNLIMITED, ...limits }, maxPruned);
    /** `set` does not wait: this resolves when everything is written. */
    async function keep(names: readonly string[], expiresAt: number, text = 'x'): Promise<void> {
      const { entries } = await size();
      for (const name of names) storeNow().cache.set(name, text, expiresAt);
      await until(async () => (await size()).entries === entries + names.length);
    }
    const names = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

    it('counts its entries and their bytes exactly', async () => {
      const before = await size();
      await keep(['snow ☃'], FAR, 'five5');
      expect(await size()).toEqual({ pruned: 0, entries: before.entries + 1, bytes: before.bytes + 8 + 5 });
      storeNow().cache.set('snow ☃', 'twelve bytes', FAR);
      await until(async () => (await size()).bytes === before.bytes + 8 + 12);
      expect((await size()).entries).toBe(before.entries + 1);
    });

    it('removes expired entries, a limited number at a time, and nothing else', async () => {
      await keep(names('expired', 50), NOW - 1);
      await keep(['current'], NOW);
      const { entries } = await size();
      const steps = [];
      for (let step = 0; step < 4; step += 1) steps.push((await prune({ expiredBefore: NOW }, 20)).pruned);
      expect(steps).toEqual([20, 20, 10, 0]);
      expect((await size()).entries).toBe(entries - 50);
      expect(await storeNow().cache.get('current')).toMatchObject({ text: 'x' });
    });

    it('removes the entries that expire first when there are too many entries or bytes', async () => {
      await keep(names('short', 10), NOW + 1, 'y'.repeat(100));
      await keep(['long'], FAR + 1);
      const { entries, bytes } = await size();
      await prune({ maxEntries: entries - 1 }, 5);
      await prune({ maxBytes: bytes - 501 }, 3);
      expect((await prune({ maxEntries: entries - 8, maxBytes: bytes - 700 }, 5)).pruned).toBe(0);
      expect((await size()).entries).toBe(entries - 8);
      expect(await storeNow().cache.get('long')).toMatchObject({ text: 'x' });
    });

    it('stops growing, and is pruned in steps with time for other work in between', async () => {
      const now = NOW + 3 * DAY_MS;
      await prune({ expiredBefore: FAR }, 1_000_000);
      const pruner = createPruner({
        prune: pruneCache({ cache: storeNow().cache, clock: () => now, maxEntries: 1_000 }),
        random: () => 0,
        onFault: (error) => {
          throw error;
        },
        idleMs: 5,
      });
      pruner.start();
      for (let day = 0; day < 5; day += 1) {
        for (const name of names(`day-${day}`, 600)) storeNow().cache.set(name, 'x', NOW + day * DAY_MS);
      }
      // Everything of the first days expired more than a day ago; of the last 1,800 entries at most the limit remains.
      await until(async () => {
        const { entries } = await size();
        return entries > 600 && entries <= 1_000;
      });
      await until(
        async () => (await prune({ maxEntries: 1_000, expiredBefore: now - DAY_MS }, 1)).pruned === 0,
      );
      expect(await storeNow().cache.get('day-0-1')).toBeUndefined();
      expect(await storeNow().cache.get('day-4-1')).toBeDefined();
      await pruner.close();
    });
  });
}
