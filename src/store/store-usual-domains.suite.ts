/** How every store must save usual domains. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aUsualDomain } from '../../test/support/a-usual-domain.ts';
import { anAccount } from '../../test/support/an-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const DAY_MS = 86_400_000;

export function describeUsualDomains(store: () => Store, makeId: MakeId): void {
  describe('usual domains', () => {
    async function newAccount(): Promise<string> {
      const id = makeId('acc', NOW);
      await store().saveAccount(anAccount({ id, name: 'norm', createdAt: NOW }));
      return id;
    }

    async function changesSince(version: number): Promise<UsualDomain[]> {
      const changed: UsualDomain[] = [];
      for await (const row of store().usualDomainsSince(version)) changed.push(row);
      return changed;
    }

    const ofAccount = async (accountId: string, version = 0) =>
      (await changesSince(version)).filter((row) => row.accountId === accountId);

    it('are read as they were saved last, each account’s own, with a version of campaigns', async () => {
      const [one, other] = [await newAccount(), await newAccount()];
      const row = aUsualDomain(one, 'uni.example');
      expect(await store().saveUsualDomain(row)).toEqual(row);
      await store().saveUsualDomain(aUsualDomain(other, 'uni.example', { people: 11 }));
      const version = await store().campaignsVersion();
      const grown = { ...row, people: 230, networks: 61, lastAt: row.lastAt + DAY_MS };
      expect(await store().saveUsualDomain(grown)).toEqual(grown);
      expect(await store().campaignsVersion()).toBeGreaterThan(version);
      expect(await changesSince(version)).toEqual([grown]);
      expect(await ofAccount(one)).toEqual([grown]);
      expect(await ofAccount(other)).toMatchObject([{ people: 11 }]);
    });

    it('are as the process stored them that saw the newest member, also where they are usual no more', async () => {
      const accountId = await newAccount();
      const row = aUsualDomain(accountId, 'uni.example');
      await store().saveUsualDomain(row);
      const older = { ...row, people: 100, lastAt: row.lastAt - 1 };
      expect(await store().saveUsualDomain(older)).toBeUndefined();
      expect(await ofAccount(accountId)).toEqual([row]);
      const ended = { ...row, people: 0, lastAt: row.lastAt + 1 };
      expect(await store().saveUsualDomain(ended)).toEqual(ended);
      expect(await ofAccount(accountId)).toEqual([ended]);
    });

    it('are read in pages, each once, and refuse an account that is not there', async () => {
      const accountId = await newAccount();
      const domains = Array.from({ length: 1_050 }, (_, at) => `d${at}.example`);
      const version = await store().campaignsVersion();
      for (const domain of domains) await store().saveUsualDomain(aUsualDomain(accountId, domain));
      const read = (await ofAccount(accountId, version)).map(({ domain }) => domain);
      expect(read.toSorted()).toEqual(domains.toSorted());
      await expect(store().saveUsualDomain(aUsualDomain('acc_nobody', 'uni.example'))).rejects.toThrow();
    });

    it('are removed a few at a time once their last member is old', async () => {
      const accountId = await newAccount();
      const old = { lastAt: NOW - 4_000 * DAY_MS };
      for (const domain of ['a.example', 'b.example', 'c.example'])
        await store().saveUsualDomain(aUsualDomain(accountId, domain, old));
      await store().saveUsualDomain(aUsualDomain(accountId, 'new.example'));
      const before = NOW - 3_000 * DAY_MS;
      expect(await store().pruneUsualDomains(before, 2)).toBe(2);
      expect(await store().pruneUsualDomains(before, 2)).toBe(1);
      expect(await store().pruneUsualDomains(before, 2)).toBe(0);
      expect((await ofAccount(accountId)).map(({ domain }) => domain)).toEqual(['new.example']);
    });
  });
}
