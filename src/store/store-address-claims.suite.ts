/** Duties of every store with an address that several people claim. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import type { MakeId } from '../contract/identifiers.ts';
import type { Store } from './store.ts';
import { savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const HARD = 'Ünïcode \u0000 & a lone \ud800';

export function describeAddressClaims(store: () => Store, makeId: MakeId): void {
  const newAccount = () => savePlainAccount(store(), makeId);

  describe('an address that several people claim', () => {
    const invite = async (email: string, accountId: string, invitedBy: string) => {
      const tokenHash = makeId('key', NOW);
      const invitation = { id: makeId('lst', NOW), tokenHash, email, accountId, role: 'member' } as const;
      await store().saveInvitation({ ...invitation, invitedBy, expiresAt: NOW + 1, acceptedAt: null });
      return tokenHash;
    };
    const userFor = (email: string) => ({ id: makeId('usr', NOW), email, name: 'Jo', passwordHash: 'hash' });
    const claim = async (email: string, accountId: string, invitedBy = 'owner@example.com') => {
      const user = userFor(email);
      const token = await invite(email, accountId, invitedBy);
      return (await store().joinAsNewUser(user, token, NOW)) ? user.id : undefined;
    };
    const newOperator = async (email: string) => {
      const tokenHash = makeId('key', NOW);
      await store().saveLink({ tokenHash, purpose: 'operator', userId: null, expiresAt: NOW + 1 });
      const user = userFor(email);
      return (await store().claimOperator(user, tokenHash, NOW)) ? user.id : undefined;
    };
    const newEmail = () => `${makeId('key', NOW)}@claimed.example`;

    it('has a separate user in each account, and at most one verified user', async () => {
      const [email, account, otherAccount] = [newEmail(), await newAccount(), await newAccount()];
      const first = (await claim(email, account, HARD)) as string;
      const second = (await claim(email, otherAccount)) as string;
      expect(await claim(email, account)).toBeUndefined();
      expect(await store().usersOf(email)).toMatchObject(
        [first, second]
          .map((id) => ({
            id,
            email,
            verified: false,
            login: id === first ? email : `${id}@unverified.invalid`,
          }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      expect(await store().findUser(first)).toMatchObject({ invitedBy: HARD, homeAccount: account });
      expect(await store().memberships({ userId: second })).toMatchObject([{ accountId: otherAccount }]);

      for (const [id, other] of [
        [second, first],
        [first, second],
      ] as const) {
        expect(await store().verifyUser(id)).toBe(true);
        expect(await store().usersOf(email)).toMatchObject([
          { id, email, login: email, verified: true },
          { id: other, email, login: `${other}@unverified.invalid`, verified: false },
        ]);
      }
      expect(await store().verifyUser('nobody')).toBe(false);
      expect(await claim(email, await newAccount())).toBeUndefined();
      expect(await newOperator(email)).toBeUndefined();
    });

    it('can still be claimed by an operator after many owners, and then belongs to the operator', async () => {
      const operator = newEmail();
      await newOperator(operator);
      const [email, account] = [newEmail(), await newAccount()];
      const claimed: (string | undefined)[] = [];
      for (let at = 0; at < 6; at += 1)
        claimed.push(await claim(email, at === 0 ? account : await newAccount()));
      expect(claimed.map((id) => id === undefined)).toEqual([false, false, false, false, false, true]);
      expect(await claim(email, account, operator)).toBeDefined();
      const id = await newOperator(email);
      const [verified, ...others] = await store().usersOf(email);
      expect(verified).toMatchObject({ id, login: email, verified: true, operator: true, invitedBy: null });
      expect(others).toHaveLength(6);
      expect(others.some((user) => user.verified || user.login === email)).toBe(false);
      expect(await claim(email, await newAccount(), operator)).toBeUndefined();
    });

    it('is never a generated address that another user may need', async () => {
      const [email, account, otherAccount] = [newEmail(), await newAccount(), await newAccount()];
      const first = (await claim(email, account)) as string;
      const second = (await claim(email, otherAccount)) as string;
      const madeUp = `${first}@unverified.invalid`;
      expect(await claim(madeUp, account)).toBeUndefined();
      expect(await newOperator(madeUp)).toBeUndefined();
      expect(await store().usersOf(madeUp)).toEqual([]);
      expect(await store().verifyUser(second)).toBe(true);
      const other = newEmail();
      const yielding = (await claim(other, account)) as string;
      expect(await claim(`${yielding}@unverified.invalid`, account)).toBeUndefined();
      expect(await newOperator(other)).toBeDefined();
    });

    it('is claimed once per account, also by simultaneous claims', async () => {
      const [email, account] = [newEmail(), await newAccount()];
      const made = await Promise.all(Array.from({ length: 4 }, () => claim(email, account)));
      expect(made.filter((id) => id !== undefined)).toHaveLength(1);
    });
  });
}
