/** How every store must keep the addresses of mailboxes. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import { dayOf, type MailboxAddress, type MailboxUse } from '../model/mailbox-address.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const DAY_MS = 86_400_000;
const TODAY = dayOf(NOW);

export function describeMailboxes(store: () => Store, makeId: MakeId): void {
  describe('addresses of mailboxes', () => {
    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id, name: 'tags', createdAt: NOW }));
      return id;
    }
    const use = (accountId: string, address: string, fields: Partial<MailboxUse> = {}): MailboxUse => {
      return { accountId, mailbox: 'jo', address, at: NOW, isBlocked: false, ...fields };
    };
    const asKept = (
      { accountId, mailbox, address, at, isBlocked }: MailboxUse,
      isGood = false,
    ): MailboxAddress => {
      return { accountId, mailbox, address, lastDay: dayOf(at), isBlocked, isGood };
    };
    const kept = (accountId: string, hash = 'jo') => store().mailboxAddresses(accountId, [hash]);

    async function changesSince(version: number, accountId: string): Promise<MailboxAddress[]> {
      const found: MailboxAddress[] = [];
      for await (const address of store().mailboxChangesSince(version))
        if (address.accountId === accountId) found.push(address);
      return found.sort((a, b) => (a.address < b.address ? -1 : 1));
    }

    it('are kept by account, and found by their mailbox or by themselves', async () => {
      const [accountId, other] = [await newAccount(), await newAccount()];
      const uses = [use(accountId, 'jo+a'), use(accountId, 'jo+b', { isBlocked: true }), use(other, 'jo+c')];
      await store().saveMailboxUses([...uses, use(accountId, 'al+a', { mailbox: 'al' })]);
      await store().saveMailboxUses([]);
      expect(await kept(accountId)).toEqual(uses.slice(0, 2).map((each) => asKept(each)));
      expect(await kept(accountId, 'jo+b')).toEqual([asKept(uses[1] as MailboxUse)]);
      expect(await kept(other)).toEqual([asKept(uses[2] as MailboxUse)]);
      expect(await kept(accountId, 'nobody')).toEqual([]);
      expect(await store().mailboxAddresses(accountId, [])).toEqual([]);
    });

    it('of an account that is not there are left out, and no others with them', async () => {
      const accountId = await newAccount();
      await store().saveMailboxUses([use('acc_nobody', 'jo+a'), use(accountId, 'jo+a')]);
      expect(await kept('acc_nobody')).toEqual([]);
      expect(await kept(accountId)).toHaveLength(1);
    });

    it('only grow younger, and stay unblocked, in whatever order their uses come', async () => {
      const accountId = await newAccount();
      const uses = [
        use(accountId, 'jo+a', { isBlocked: true, at: NOW - DAY_MS }),
        use(accountId, 'jo+a', { isBlocked: true }),
        use(accountId, 'jo+a', { at: NOW - 9 * DAY_MS }),
        use(accountId, 'jo+a', { isBlocked: true, at: NOW - 5 * DAY_MS }),
      ];
      await store().saveMailboxUses([uses[0] as MailboxUse]);
      await store().saveMailboxUses([uses[1] as MailboxUse]);
      expect(await kept(accountId)).toMatchObject([{ lastDay: TODAY, isBlocked: true }]);
      for (const each of uses) await store().saveMailboxUses([each]);
      expect(await kept(accountId)).toMatchObject([{ lastDay: TODAY, isBlocked: false }]);
      const before = await store().mailboxesVersion();
      for (const each of uses) await store().saveMailboxUses([each]);
      await store().saveMailboxUses([use(accountId, 'jo+b')]);
      // The replay of a start writes nothing again.
      expect(await changesSince(before, accountId)).toHaveLength(2);
      expect(await changesSince(await store().mailboxesVersion(), accountId)).toEqual([]);
    });

    it('are told after a version, with all others of the mailbox, unless it has but one', async () => {
      const accountId = await newAccount();
      const start = await store().mailboxesVersion();
      await store().saveMailboxUses([use(accountId, 'al+a', { mailbox: 'al' }), use(accountId, 'jo+a')]);
      expect(await changesSince(start, accountId)).toEqual([]);
      const before = await store().mailboxesVersion();
      await store().saveMailboxUses([use(accountId, 'jo+b')]);
      expect(await store().mailboxesVersion()).toBeGreaterThan(before);
      for (const version of [start, before])
        expect(await changesSince(version, accountId)).toMatchObject([
          { address: 'jo+a' },
          { address: 'jo+b' },
        ]);
    });

    it('are all told, a page after the other', async () => {
      const accountId = await newAccount();
      const start = await store().mailboxesVersion();
      const count = 1_000;
      for (const tag of ['a', 'b', 'c'])
        await store().saveMailboxUses(
          Array.from({ length: count }, (_, at) => use(accountId, `${at}+${tag}`, { mailbox: `m${at}` })),
        );
      const told = new Set((await changesSince(start, accountId)).map(({ address }) => address));
      expect(told.size).toBe(3 * count);
    });

    it('keep the newest report, also where no use is known, and other uses do not change it', async () => {
      const accountId = await newAccount();
      const [known, unknown] = [use(accountId, 'jo+a'), use(accountId, 'jo')];
      await store().saveMailboxUses([known]);
      const before = await store().mailboxesVersion();
      for (const each of [known, unknown]) await store().saveMailboxReport({ ...each, isGood: true });
      expect(await changesSince(before, accountId)).toEqual([asKept(unknown, true), asKept(known, true)]);
      await store().saveMailboxUses([{ ...known, at: NOW + DAY_MS }]);
      expect(await kept(accountId, 'jo+a')).toMatchObject([{ isGood: true, lastDay: TODAY + 1 }]);
      const after = await store().mailboxesVersion();
      await store().saveMailboxReport({ ...known, isGood: false });
      expect(await changesSince(after, accountId)).toMatchObject([{ isGood: true }, { isGood: false }]);
      await store().saveMailboxReport({ ...use(accountId, 'jo+none'), isGood: false });
      expect(await kept(accountId)).toHaveLength(2);
    });

    it('go with an erasure, up to its day; all nodes hear of it, but not of whom', async () => {
      const [accountId, other] = [await newAccount(), await newAccount()];
      const uses = [use(accountId, 'jo'), use(accountId, 'jo+a'), use(accountId, 'x', { mailbox: 'jo+b' })];
      const later = use(accountId, 'jo+later', { at: NOW + DAY_MS });
      await store().saveMailboxUses([...uses, later, use(other, 'jo+a')]);
      const removals = await store().mailboxRemovalsVersion();
      await store().removeMailboxAddresses(accountId, ['jo', 'jo+b'], TODAY);
      expect(await kept(accountId)).toEqual([asKept(later)]);
      expect(await kept(accountId, 'x')).toEqual([]);
      expect(await kept(other)).toHaveLength(1);
      expect(await store().mailboxRemovalsVersion()).toBeGreaterThan(removals);
      // A second time, as after a crash.
      await store().removeMailboxAddresses(accountId, ['jo', 'jo+b'], TODAY);
      await store().removeMailboxAddresses(accountId, [], TODAY);
      expect(await kept(accountId)).toHaveLength(1);
    });

    it('do not come back by a use from before an erasure that is stored late', async () => {
      const accountId = await newAccount();
      await store().noteErasure({ account: accountId, hashes: ['other', 'jo', 'al+a'], until: NOW }, null);
      const early = [use(accountId, 'jo+a'), use(accountId, 'al+a', { mailbox: 'al', at: NOW - DAY_MS })];
      await store().saveMailboxUses(early);
      for (const each of early) await store().saveMailboxReport({ ...each, isGood: true });
      for (const hash of ['jo', 'al']) expect(await kept(accountId, hash)).toEqual([]);
      const late = use(accountId, 'jo+a', { at: NOW + 1 });
      const others = use(await newAccount(), 'jo+a');
      await store().saveMailboxUses([late, others]);
      expect(await kept(accountId)).toEqual([asKept(late)]);
      expect(await kept(others.accountId)).toHaveLength(1);
    });

    it('are counted and removed by their last day, a few at a time', async () => {
      const accountId = await newAccount();
      const old = Array.from({ length: 5 }, (_, at) => use(accountId, `jo+${at}`, { at: at * DAY_MS }));
      await store().saveMailboxUses([...old, use(accountId, 'jo+new')]);
      expect(await store().countMailboxAddresses(3)).toBe(4);
      expect(await store().pruneMailboxAddresses(4, 3)).toBe(3);
      expect(await store().pruneMailboxAddresses(4, 3)).toBe(1);
      expect(await store().pruneMailboxAddresses(4, 3)).toBe(0);
      expect((await kept(accountId)).map(({ address }) => address)).toEqual(['jo+4', 'jo+new']);
      await store().pruneMailboxAddresses(5, 3);
    });
  });
}
