/** How every store must save destinations of events. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aDestination } from '../../test/support/a-destination.ts';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { Destination } from '../model/event.ts';
import type { AuditEntry } from './audit-store.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const NAME = 'Ünïcode "\u0000" & a lone \ud800';

export function describeDestinations(store: () => Store, makeId: MakeId): void {
  const { newAccount, newDestination } = createDestinations(store, makeId);

  describe('destinations', () => {
    it('are read as they were saved, by their own account alone', async () => {
      const saved = await newDestination({ name: NAME, digestHour: 0 });
      const previous = { text: 'older', until: NOW + 1 };
      const more = aDestination(saved.accountId, {
        kind: 'email',
        types: [],
        verdicts: [],
        secrets: { current: null, previous },
        disabled: { at: NOW, reason: 'gone' },
      });
      await store().saveDestination(more, audited(saved.accountId));
      expect(await store().destinations(saved.accountId)).toEqual([saved, more]);
      expect(await store().destinations(await newAccount())).toEqual([]);
      expect((await store().auditEntries(saved.accountId, null, 9)).entries).toHaveLength(1);
      await expect(store().saveDestination(aDestination('acc_nobody'))).rejects.toThrow();
    });

    it('are disabled once, unless somebody changed where they lead meanwhile', async () => {
      const saved = await newDestination();
      const { accountId, id } = saved;
      const gone = { at: NOW + 5, reason: 'gone' } as const;
      const entry = audited(accountId);
      const disable = (destination = saved) => store().disableDestination(destination, gone, entry);
      await store().changeDestination(accountId, id, { address: 'https://hooks.example.com/new' });
      expect(await disable()).toBe(false);
      await store().changeDestination(accountId, id, { address: saved.address });
      const secrets = { current: 'newer', previous: null };
      await store().changeDestination(accountId, id, { secrets });
      expect(await disable()).toBe(false);
      expect(await disable({ ...saved, accountId: await newAccount(), secrets })).toBe(false);
      const outcomes = await Promise.all([1, 2, 3].map(() => disable({ ...saved, secrets })));
      expect(outcomes.filter(Boolean)).toEqual([true]);
      expect(await store().destinations(accountId)).toEqual([{ ...saved, secrets, disabled: gone }]);
      expect((await store().auditEntries(accountId, null, 9)).entries).toEqual([entry]);
    });

    it('change only in the named members, and go with what they were told', async () => {
      const saved = await newDestination();
      const { accountId, id } = saved;
      const changes = { types: ['key.changed'], disabled: { at: NOW, reason: 'person' } } as const;
      expect(await store().changeDestination(accountId, id, changes)).toEqual({ ...saved, ...changes });
      const enabled = { disabled: null, since: NOW + 1, name: NAME };
      const entry = audited(accountId);
      const changed = await store().changeDestination(accountId, id, enabled, entry);
      expect(changed).toEqual({ ...saved, ...changes, ...enabled });
      const other = await newAccount();
      for (const unknown of ['', 'dst_', '\u0000'])
        expect(await store().changeDestination(accountId, unknown, enabled, entry)).toBeUndefined();
      expect(await store().changeDestination(other, id, enabled, entry)).toBeUndefined();
      expect(await store().removeDestination(other, id, entry)).toBe(false);
      const delivered = async () => (await store().deliveries(accountId, id, { limit: 9 })).deliveries;
      await store().saveEvent({ accountId, type: 'key.changed', object: 'key_1', at: NOW, data: {} });
      expect(await delivered()).toHaveLength(1);
      expect(await store().removeDestination(accountId, id, entry)).toBe(true);
      expect(await delivered()).toEqual([]);
      expect((await store().auditEntries(accountId, null, 9)).entries).toEqual([entry, entry]);
    });
  });
}

/** New accounts and destinations of a store. */
export function createDestinations(store: () => Store, makeId: MakeId) {
  async function newAccount(): Promise<string> {
    const id = makeId('acc', NOW);
    await store().saveAccount(anAccount({ id, name: 'told', timeZone: 'Europe/Berlin', createdAt: NOW }));
    return id;
  }

  async function newDestination(fields: Partial<Destination> = {}): Promise<Destination> {
    const destination = aDestination(await newAccount(), fields);
    await store().saveDestination(destination);
    return destination;
  }

  return { newAccount, newDestination };
}

export function audited(accountId: string): AuditEntry {
  return {
    at: NOW,
    by: 'jo@example.com',
    accountId,
    action: 'destination.change',
    target: 'webhook ops',
    detail: '',
  };
}
