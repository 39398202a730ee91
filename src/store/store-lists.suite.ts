/** How every store must save the accounts' own lists. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aDestination } from '../../test/support/a-destination.ts';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ListChange, ListEntry } from '../model/list-entry.ts';
import { StaleVersion } from './sql-database.ts';
import { MAX_FEW_ENTRIES, type Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
/** A store may refuse writes that come too fast. */
const AT_ONCE = 100;

export function describeLists(store: () => Store, makeId: MakeId): void {
  describe('own lists', () => {
    const newAccount = async () => {
      const id = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id, name: 'lists', createdAt: NOW }));
      return id;
    };
    const entry = (accountId: string, fields: Partial<ListEntry> = {}): ListEntry => ({
      id: makeId('lst', NOW),
      accountId,
      action: 'deny',
      kind: 'domain',
      value: 'example.com',
      shown: 'example.com',
      reason: 'Ünïcode \u0000 & a lone \ud800',
      author: 'jo',
      createdAt: NOW,
      expiresAt: null,
      hits: 0,
      lastHitAt: null,
      ...fields,
    });
    const changesSince = async (version: number): Promise<ListChange[]> => {
      const changes: ListChange[] = [];
      for await (const change of store().listChangesSince(version)) changes.push(change);
      return changes;
    };

    it('lose the reason of an erased entry in everything that destinations are told', async () => {
      const accountId = await newAccount();
      const types = ['list.changed'] as const;
      const { id } = aDestination(accountId);
      await store().saveDestination(aDestination(accountId, { id, types }));
      const saved = await store().saveListEntry(entry(accountId, { reason: 'Zoe Miller' }));
      await store().saveListEntry(entry(accountId, { value: 'kept.example', reason: 'kept' }));
      await store().eraseListEntry(saved.id);
      expect((await store().listEntries(accountId)).map(({ value }) => value)).toEqual(['kept.example']);
      const { deliveries } = await store().deliveries(accountId, id, { limit: 9 });
      const told = deliveries.map(({ event }) => event);
      expect(JSON.stringify(told)).not.toContain('Zoe');
      expect(JSON.stringify(told)).toContain('kept');
      const ofEntry = told.filter(({ object }) => object === saved.id);
      expect(ofEntry.map(({ data }) => data.change)).toContain('removed');
    });

    it('are searched without reading all of many: by value, by beginning, and the newest', async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const domain = (at: number) => `d${String(at).padStart(4, '0')}.example`;
      const of = (value: string, fields: Partial<ListEntry> = {}) =>
        entry(account, { value, shown: value, ...fields });
      const search = async (values: string[], prefixes: string[] = []) =>
        (await store().searchListEntries(account, { values, prefixes })).map(({ value }) => value);
      await store().saveListEntry(entry(other, { value: 'theirs.example', shown: 'theirs.example' }));
      await store().saveListEntry(of('hash', { kind: 'mailbox', shown: 'j***@example.com' }));
      await store().saveListEntry(of('old.example'));
      expect((await search([])).sort()).toEqual(['hash', 'old.example']);
      // Many newer entries of another account push the first ones out of what is looked through.
      for (let at = 0; at < MAX_FEW_ENTRIES; at += AT_ONCE) {
        const numbers = Array.from({ length: AT_ONCE }, (_, index) => at + index);
        await Promise.all(numbers.map((number) => store().saveListEntry(of(domain(number)))));
      }
      for (let at = 0; at < 500; at += AT_ONCE) {
        const numbers = Array.from({ length: AT_ONCE }, (_, index) => at + index);
        await Promise.all(
          numbers.map((number) => store().saveListEntry(entry(other, { value: domain(number) }))),
        );
      }
      expect(await search([])).toEqual([]);
      expect((await search(['hash', 'old.example', 'theirs.example', 'a\u0000'])).sort()).toEqual([
        'hash',
        'old.example',
      ]);
      const prefixed = await search([], ['d01', 'o\u0000']);
      expect(prefixed).toEqual(Array.from({ length: 20 }, (_, at) => domain(100 + at)));
      await store().saveListEntry(of('new.example'));
      expect(await search(['hash'])).toEqual(['hash', 'new.example']);
    });

    it('are read as they were saved, only those of the account', async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const first = entry(account);
      const two = entry(account, { kind: 'address', value: 'hash', shown: 'j***@example.com', reason: null });
      const three = entry(account, { action: 'allow', expiresAt: NOW + 1 });
      const pair = 'example.com + 203.0.113.7';
      const four = entry(account, { action: 'office', kind: 'domain_network', value: pair, shown: pair });
      const all = [first, two, three, four];
      for (const added of all) expect(await store().saveListEntry(added)).toEqual(added);
      await store().saveListEntry(entry(other));
      expect(await store().listEntries(account)).toEqual(all);
      expect(await store().listEntries('acc_nobody')).toEqual([]);
    });

    it('change only while the lists are as they were read, and store no audit entry of what is not changed', async () => {
      const accountId = await newAccount();
      const log = { at: NOW, by: 'jo@example.com', accountId, action: 'a', target: '', detail: '' };
      const read = await store().listsVersion();
      const first = entry(accountId);
      const saved = await Promise.allSettled(
        [first, entry(accountId, { reason: 'another' })].map((each) =>
          store().ifListsAre(read).saveListEntry(each, log),
        ),
      );
      const refused = saved.filter((each) => each.status === 'rejected');
      expect(refused.map(({ reason }) => reason)).toEqual([expect.any(StaleVersion)]);
      const [kept] = await store().listEntries(accountId);
      await expect(
        store()
          .ifListsAre(read)
          .removeListEntry(kept?.id ?? '', log),
      ).rejects.toThrow(StaleVersion);
      expect(await store().listEntries(accountId)).toHaveLength(1);
      await store()
        .ifListsAre(await store().listsVersion())
        .removeListEntry(kept?.id ?? '', log);
      expect(await store().listEntries(accountId)).toEqual([]);
      expect((await store().auditEntries(accountId, null, 9)).entries).toHaveLength(2);
    });

    it('refuse an entry without an account', async () => {
      await expect(store().saveListEntry(entry('acc_nobody'))).rejects.toThrow();
    });

    it('treat the same action, kind and value as the same entry, with the newest values', async () => {
      const account = await newAccount();
      const first = entry(account, { expiresAt: NOW + 5, reason: 'first' });
      await store().saveListEntry(first);
      await store().addListHits(new Map([[first.id, { hits: 2, at: NOW + 1 }]]));
      const second = entry(account, { reason: null, author: 'al', createdAt: NOW + 9 });
      const kept = { ...first, reason: null, author: 'al', expiresAt: null, hits: 2, lastHitAt: NOW + 1 };
      expect(await store().saveListEntry(second)).toEqual(kept);
      expect(await store().listEntries(account)).toEqual([kept]);
    });

    it('return what was saved and removed after a version as changes', async () => {
      const account = await newAccount();
      const [stays, goes] = [entry(account), entry(account, { value: 'gone.example' })];
      await store().saveListEntry(stays);
      await store().saveListEntry(goes);
      const before = await store().listsVersion();
      expect(await changesSince(before)).toEqual([]);
      await store().removeListEntry(goes.id);
      const added = entry(account, { kind: 'asn', value: 'AS64500', shown: 'AS64500' });
      await store().saveListEntry(added);
      expect(await store().listsVersion()).toBeGreaterThan(before);
      expect(await changesSince(before)).toEqual([{ removed: goes.id }, { saved: added }]);
      expect(await store().listEntries(account)).toEqual([stays, added]);
    });

    it('accept a removed entry again, as a new entry', async () => {
      const account = await newAccount();
      const [first, second] = [entry(account), entry(account)];
      await store().saveListEntry(first);
      await store().removeListEntry(first.id);
      await store().removeListEntry(first.id);
      await store().removeListEntry('lst_nobody');
      expect(await store().saveListEntry(second)).toEqual(second);
      expect(await store().listEntries(account)).toEqual([second]);
    });

    it('that end within a time are found, those with the most hits first', async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const save = (value: string, expiresAt: number | null, hits: number, of = account) =>
        store().saveListEntry(entry(of, { value, shown: value, expiresAt, hits }));
      await save('past.example', NOW, 9);
      await save('few.example', NOW + 1, 2);
      await save('many.example', NOW + 5, 7);
      await save('later.example', NOW + 10, 8);
      await save('never.example', null, 8);
      await save('theirs.example', NOW + 5, 8, other);
      const found = async (limit: number) =>
        (await store().expiringEntries(account, NOW, NOW + 10, limit)).map(({ value }) => value);
      expect(await found(10)).toEqual(['many.example', 'few.example']);
      expect(await found(1)).toEqual(['many.example']);
    });

    it('add up hits and keep the newest time, without a change to the entry', async () => {
      const account = await newAccount();
      const hit = entry(account);
      await store().saveListEntry(hit);
      const version = await store().listsVersion();
      await store().addListHits(new Map([[hit.id, { hits: 3, at: NOW + 7 }]]));
      await store().addListHits(
        new Map([
          [hit.id, { hits: 2, at: NOW + 3 }],
          ['lst_nobody', { hits: 1, at: NOW }],
        ]),
      );
      expect(await store().listsVersion()).toBe(version);
      expect(await store().listEntries(account)).toEqual([{ ...hit, hits: 5, lastHitAt: NOW + 7 }]);
    });

    it('return all of very many entries as changes, each once', async () => {
      const account = await newAccount();
      const before = await store().listsVersion();
      const many = Array.from({ length: 2_500 }, (_, at) =>
        entry(account, { value: `d${at}.example`, shown: `d${at}.example` }),
      );
      for (let from = 0; from < many.length; from += AT_ONCE) {
        await Promise.all(many.slice(from, from + AT_ONCE).map((added) => store().saveListEntry(added)));
      }
      const ids = (await changesSince(before)).map((change) => 'saved' in change && change.saved.id);
      expect(ids).toHaveLength(many.length);
      expect(new Set(ids)).toEqual(new Set(many.map(({ id }) => id)));
    });
  });
}
