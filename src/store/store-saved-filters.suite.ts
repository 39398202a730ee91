/** How every store must keep the filters that people save. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { joinAccount } from '../../test/support/join-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { MAX_SAVED_FILTERS, type SavedFilter } from './saved-filter-store.ts';
import type { Store } from './store.ts';
import { saveNewUser, savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);

export function describeSavedFilters(store: () => Store, makeId: MakeId): void {
  const newOwner = async () => ({
    accountId: await savePlainAccount(store(), makeId),
    userId: (await saveNewUser(store(), makeId)).id,
  });
  const newFilter = (owner: Pick<SavedFilter, 'accountId' | 'userId'>, name: string): SavedFilter => ({
    ...owner,
    id: makeId('flt', NOW),
    name,
    query: 'verdict=block&period=7d',
  });

  describe('saved filters', () => {
    it('are read by name, each by the person and the account that has them', async () => {
      const owner = await newOwner();
      const other = { ...owner, userId: (await saveNewUser(store(), makeId)).id };
      const [second, first] = [newFilter(owner, 'b "quoted"'), newFilter(owner, 'Ä 🦊')];
      expect(await store().saveFilter(second)).toBe(true);
      expect(await store().saveFilter(first)).toBe(true);
      expect(await store().saveFilter(newFilter(other, second.name))).toBe(true);
      const saved = await store().savedFilters(owner);
      expect(saved).toHaveLength(2);
      expect(saved).toEqual(expect.arrayContaining([first, second]));
      expect(await store().savedFilters(other)).toHaveLength(1);
    });

    it('have different names, also when they are renamed', async () => {
      const owner = await newOwner();
      const [one, two] = [newFilter(owner, 'one'), newFilter(owner, 'two')];
      const saved = await Promise.all([one, newFilter(owner, 'one')].map((each) => store().saveFilter(each)));
      expect(saved.sort()).toEqual([false, true]);
      await store().saveFilter(two);
      expect(await store().renameFilter({ ...two, name: 'one' })).toBe(false);
      expect(await store().renameFilter({ ...two, name: 'two' })).toBe(true);
      expect(await store().renameFilter({ ...two, name: 'three' })).toBe(true);
      expect((await store().savedFilters(owner)).map(({ name }) => name)).toEqual(['one', 'three']);
    });

    it('are changed and removed by their owner alone', async () => {
      const owner = await newOwner();
      const other = { ...owner, userId: (await saveNewUser(store(), makeId)).id };
      const filter = newFilter(owner, 'mine');
      await store().saveFilter(filter);
      expect(await store().renameFilter({ ...filter, ...other, name: 'yours' })).toBe(false);
      expect(await store().removeFilter({ ...filter, ...other })).toBe(false);
      expect(await store().savedFilters(owner)).toEqual([filter]);
      expect(await store().removeFilter(filter)).toBe(true);
      expect(await store().removeFilter(filter)).toBe(false);
    });

    it('are few for each person', async () => {
      const owner = await newOwner();
      const names = Array.from({ length: MAX_SAVED_FILTERS + 5 }, (_, at) => `filter ${at}`);
      const saved = await Promise.all(names.map((name) => store().saveFilter(newFilter(owner, name))));
      expect(saved.filter((yes) => yes)).toHaveLength(MAX_SAVED_FILTERS);
      expect(await store().savedFilters(owner)).toHaveLength(MAX_SAVED_FILTERS);
    });

    it('go with the membership and with the person', async () => {
      const owner = await newOwner();
      await joinAccount(store(), { ...owner, role: 'member' });
      await store().saveFilter(newFilter(owner, 'mine'));
      await store().removeMembership(owner);
      expect(await store().savedFilters(owner)).toEqual([]);
      const { id, email } = await saveNewUser(store(), makeId);
      const gone = { accountId: owner.accountId, userId: id };
      await store().saveFilter(newFilter(gone, 'mine'));
      await store().removeUser({ id, email });
      expect(await store().savedFilters(gone)).toEqual([]);
      await expect(store().saveFilter(newFilter(gone, 'mine'))).rejects.toThrow();
    });
  });
}
