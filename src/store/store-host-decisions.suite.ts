/** How every store must keep decisions about mail hosts. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/expectations.ts';
import type { HostDecision } from './dashboard-store.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
/** Expired texts may be removed at any time. */
const FAR = Date.UTC(2100, 0, 1);

export function describeHostDecisions(store: () => Store): void {
  describe('decisions about mail hosts', () => {
    const by = 'jo@example.com';
    const find = async (key: string, since = 0): Promise<HostDecision | undefined> =>
      (await store().hostDecisionsSince(since)).find((decision) => decision.key === key);

    it('are found by their version, with the newest values', async () => {
      const before = await store().hostDecisionsVersion();
      await store().decideHosts({ keys: ['*.a.example', '192.0.2.7'], neverFlag: true, by, at: NOW });
      const between = await store().hostDecisionsVersion();
      expect(between).toBeGreaterThan(before);
      const decided = { generation: 0, neverFlag: true, by, at: NOW };
      expect(await store().hostDecisionsSince(before)).toEqual(
        [
          { key: '*.a.example', ...decided },
          { key: '192.0.2.7', ...decided },
        ].sort((a, b) => (a.key < b.key ? -1 : 1)),
      );
      await store().decideHosts({ keys: ['*.a.example'], neverFlag: false, by: 'al', at: NOW + 1 });
      const after = { key: '*.a.example', generation: 0, neverFlag: false, by: 'al', at: NOW + 1 };
      expect(await store().hostDecisionsSince(between)).toEqual([after]);
    });

    it('count how often a host was forgotten, and keep its other values', async () => {
      const key = '*.b.example';
      await store().decideHosts({ keys: [key], neverFlag: true, by, at: NOW });
      for (const at of [1, 2]) await store().decideHosts({ keys: [key], forget: [], by, at: NOW + at });
      expect(await find(key)).toEqual({ key, generation: 2, neverFlag: true, by, at: NOW + 2 });
    });

    it('remove the cached texts of a forgotten host, and nothing else', async () => {
      const names = ['host-record:*.c.example', 'host-record:*.d.example'] as const;
      for (const name of names) store().cache.set(name, 'x', FAR);
      // `read`, because `get` also returns texts that are not written yet: they would be written after the decision.
      for (const name of names) await until(async () => (await store().cache.read(name)) !== undefined);
      await store().decideHosts({ keys: ['*.c.example'], forget: [names[0]], by, at: NOW });
      expect(await store().cache.read(names[0])).toBeUndefined();
      expect(await store().cache.read(names[1])).toBeDefined();
    });

    it('are stored together with their audit entry, or neither is', async () => {
      const entry = { at: NOW, by, accountId: null, action: 'host.test', target: '*.e.example', detail: '' };
      await store().decideHosts({ keys: ['*.e.example'], forget: [], by, at: NOW }, entry);
      expect((await store().auditEntries(null, null, 1)).entries).toEqual([entry]);
      const refused = { ...entry, at: null as unknown as number };
      const change = { keys: ['*.f.example'], forget: [], by, at: NOW };
      await expect(store().decideHosts(change, refused)).rejects.toThrow();
      expect(await find('*.f.example')).toBeUndefined();
    });
  });
}
