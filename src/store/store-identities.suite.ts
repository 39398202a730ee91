/** How every store must keep who people are at an OpenID provider: a sign-in changes everything it was decided on, or nothing. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import type { MakeId } from '../contract/identifiers.ts';
import type { AuditEntry } from './audit-store.ts';
import type { HeldRole, IdentitySignIn } from './identity-store.ts';
import { StaleVersion } from './sql-database.ts';
import type { Store } from './store.ts';
import { saveNewUser, savePlainAccount } from './store-people.suite.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const OWNER: HeldRole = { role: 'owner', byGroups: true, handRole: null };
const MEMBER: HeldRole = { role: 'member', byGroups: true, handRole: null };
const HARD = 'auth0|Ünïcode \u0000 & a lone \ud800';

export function describeIdentities(store: () => Store, makeId: MakeId): void {
  /** The sign-in of somebody new, verified, with a role in an account. */
  async function aSignIn(role = OWNER, subject: string = makeId('key', NOW)): Promise<SignInOfOne> {
    const accountId = await savePlainAccount(store(), makeId);
    const email = `${makeId('key', NOW)}@example.com`;
    const newUser = { email, name: 'Jo', verified: true, invitedBy: null, homeAccount: null };
    return {
      accountId,
      email,
      signIn: {
        identity: { issuer: 'https://login.example/a', subject },
        userId: makeId('usr', NOW),
        isKnown: false,
        newUser,
        roles: [{ accountId, before: null, after: role }],
        endsSessions: false,
        now: NOW,
      },
    };
  }
  const entryOf = (accountId: string): AuditEntry => {
    return { at: NOW, by: 'tests', accountId, action: 'role_by_groups', target: 'Jo', detail: 'a → b' };
  };
  const entriesOf = async (accountId: string) =>
    (await store().auditEntries(accountId, null, 10)).entries.length;
  const known = ({ newUser: _, ...signIn }: IdentitySignIn): IdentitySignIn => ({ ...signIn, isKnown: true });

  describe('people of an OpenID provider', () => {
    it('are made with their identity, roles and entries', async () => {
      const { accountId, email, signIn } = await aSignIn(OWNER, HARD);
      const { userId, identity } = signIn;
      await store().signInByIdentity(signIn, entryOf(accountId));
      expect(await store().findUser(userId)).toMatchObject({ email, login: email, verified: true });
      expect(await store().findIdentity(identity)).toEqual({
        ...identity,
        userId,
        createdAt: NOW,
        usedAt: NOW,
      });
      expect([...(await store().heldRoles(userId))]).toEqual([[accountId, OWNER]]);
      expect(await entriesOf(accountId)).toBe(1);
      expect(await store().findIdentity({ ...identity, issuer: 'https://login.example/b' })).toBeUndefined();
    });

    it('take a verified address from others who claim it, who keep everything else', async () => {
      const { email, id } = await saveNewUser(store(), makeId);
      const { signIn } = await aSignIn();
      const newUser = { ...(signIn.newUser as object), email } as IdentitySignIn['newUser'];
      await store().signInByIdentity({ ...signIn, ...(newUser && { newUser }) });
      expect(await store().usersOf(email)).toMatchObject([
        { id: signIn.userId, login: email, verified: true },
        { id, verified: false },
      ]);
    });

    it('are made once, of two sign-ins at once', async () => {
      const { accountId, signIn } = await aSignIn();
      const second = { ...signIn, userId: makeId('usr', NOW) };
      const done = await Promise.allSettled(
        [signIn, second].map((each) => store().signInByIdentity(each, entryOf(accountId))),
      );
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(done.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: expect.any(StaleVersion),
      });
      expect(await entriesOf(accountId)).toBe(1);
      expect(await store().memberships({ accountId })).toHaveLength(1);
    });

    it('change nothing where anything has changed since it was read', async () => {
      const { accountId, signIn } = await aSignIn(MEMBER);
      await store().signInByIdentity(signIn, entryOf(accountId));
      const change = { accountId, before: MEMBER, after: null };
      const stale: Partial<IdentitySignIn>[] = [
        { roles: [{ ...change, before: OWNER }] },
        { roles: [{ ...change, before: { ...MEMBER, byGroups: false } }] },
        { roles: [{ ...change, before: { ...MEMBER, handRole: 'member' } }] },
        { roles: [{ ...change, before: null }] },
        { roles: [{ ...change, accountId: 'acc_gone', before: null, after: MEMBER }] },
        { userId: 'usr_gone' },
        { isKnown: false },
        { foundBy: 'other@example.com' },
        { sessionId: 'ended' },
        { invitation: { tokenHash: 'none', email: 'other@example.com' } },
      ];
      for (const part of stale)
        await expect(
          store().signInByIdentity(
            { ...known(signIn), roles: [], ...part, endsSessions: true },
            entryOf(accountId),
          ),
          JSON.stringify(part),
        ).rejects.toThrow(StaleVersion);
      expect([...(await store().heldRoles(signIn.userId))]).toEqual([[accountId, MEMBER]]);
      expect(await entriesOf(accountId)).toBe(1);
      await store().signInByIdentity({ ...known(signIn), roles: [change] }, entryOf(accountId));
      expect([...(await store().heldRoles(signIn.userId))]).toEqual([]);
      expect(await entriesOf(accountId)).toBe(2);
    });

    it('leave an account its last owner, also when two go at once', async () => {
      const one = await aSignIn();
      const other = await aSignIn();
      const { accountId } = one;
      const roles = [{ accountId, before: null, after: OWNER }];
      await store().signInByIdentity(one.signIn);
      await store().signInByIdentity({ ...other.signIn, roles });
      const gone = [{ accountId, before: OWNER, after: MEMBER }];
      const done = await Promise.allSettled(
        [one.signIn, other.signIn].map((signIn) =>
          store().signInByIdentity({ ...known(signIn), roles: gone }, entryOf(accountId)),
        ),
      );
      expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const left = (await store().memberships({ accountId })).map(({ role }) => role);
      expect(left.sort()).toEqual(['member', 'owner']);
      expect(await entriesOf(accountId)).toBe(1);
    });

    it('keep the role that people gave beside one by groups', async () => {
      const { accountId, signIn } = await aSignIn({ ...OWNER, handRole: 'member' });
      await store().signInByIdentity(signIn);
      const other = await aSignIn();
      await store().signInByIdentity({
        ...other.signIn,
        roles: [{ accountId, before: null, after: OWNER }],
      });
      const { userId } = signIn;
      await store().changeRole({ userId, accountId, role: 'analyst' }, null);
      const held = (await store().heldRoles(userId)).get(accountId);
      expect(held).toEqual({ role: 'analyst', byGroups: true, handRole: 'analyst' });
      const byHand: HeldRole = { role: 'analyst', byGroups: false, handRole: null };
      const roles = [{ accountId, before: held ?? null, after: byHand }];
      await store().signInByIdentity({ ...known(signIn), roles });
      expect((await store().heldRoles(userId)).get(accountId)).toEqual(byHand);
    });

    it('are forgotten with the user, or by themselves', async () => {
      const { signIn, email } = await aSignIn();
      await store().signInByIdentity(signIn);
      await store().removeIdentities(signIn.userId);
      expect(await store().identitiesOf(signIn.userId)).toEqual([]);
      const again: IdentitySignIn = { ...known(signIn), isKnown: false, foundBy: email, roles: [] };
      await store().signInByIdentity(again);
      expect(await store().identitiesOf(signIn.userId)).toHaveLength(1);
      await store().removeUser({ id: signIn.userId, email });
      expect(await store().findIdentity(signIn.identity)).toBeUndefined();
    });

    it('get a password by a link, although they had none', async () => {
      const { signIn } = await aSignIn();
      await store().signInByIdentity(signIn);
      const link = { tokenHash: makeId('key', NOW), purpose: 'reset', userId: signIn.userId } as const;
      await store().saveLink({ ...link, expiresAt: NOW + 1_000 });
      expect(await store().resetPassword('$argon2id$new', link.tokenHash, NOW)).toBe(true);
      expect(await store().replacePassword('$argon2id$new', '$argon2id$newer', NOW)).toBe(true);
      await store().removeUser({ id: signIn.userId, email: signIn.newUser?.email as string });
    });
  });
}

interface SignInOfOne {
  readonly accountId: string;
  readonly email: string;
  readonly signIn: IdentitySignIn;
}
