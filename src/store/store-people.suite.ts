/** How every store must keep people and their sign-in. Part of the suite that each adapter runs. */
import { betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins';
import { describe, expect, it } from 'vitest';
import { anAccount } from '../../test/support/an-account.ts';
import { joinAccount } from '../../test/support/join-account.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { AuditEntry } from './audit-store.ts';
import type { Invitation } from './dashboard-store.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const HARD = 'Ünïcode \u0000 & a lone \ud800';

export async function savePlainAccount(store: Store, makeId: MakeId): Promise<string> {
  const id = makeId('acc', NOW);
  await store.saveAccount(anAccount({ id, name: 'people', createdAt: NOW }));
  return id;
}

/** A user with the password `a password`. */
export async function saveNewUser(store: Store, makeId: MakeId): Promise<{ id: string; email: string }> {
  const email = `${makeId('key', NOW)}@example.com`;
  const auth = await signInOf(store);
  const { user } = await auth.api.signUpEmail({ body: { email, name: 'Jo', password: 'a password' } });
  return { id: user.id, email };
}

async function signInOf(store: Store) {
  return betterAuth({
    database: await store.authDatabase(),
    secret: 'a secret of the tests that is long enough, 0123456789',
    baseURL: 'http://localhost',
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: { enabled: true },
    user: {
      modelName: 'auth_users',
      additionalFields: {
        operator: { type: 'boolean', required: false, defaultValue: false, input: false },
      },
    },
    session: { modelName: 'auth_sessions' },
    account: { modelName: 'auth_credentials' },
    verification: { modelName: 'auth_verifications' },
    plugins: [twoFactor({ schema: { twoFactor: { modelName: 'auth_two_factors' } } })],
  });
}

export function describePeople(store: () => Store, makeId: MakeId): void {
  const newAccount = () => savePlainAccount(store(), makeId);
  const signIn = () => signInOf(store());
  const newUser = () => saveNewUser(store(), makeId);

  describe('people', () => {
    it('are the users who sign in', async () => {
      const { id, email } = await newUser();
      const known = await store().findUser(id);
      expect(known).toMatchObject({ id, email, name: 'Jo', operator: false, twoFactor: false });
      expect(Math.abs((known?.createdAt ?? 0) - Date.now())).toBeLessThan(60_000);
      expect((await store().users()).filter((user) => user.id === id)).toEqual([known]);
      expect(await store().findUser('nobody')).toBeUndefined();
    });

    it('are removed with all their data, and nobody else is', async () => {
      const [gone, stays] = [await newUser(), await newUser()];
      const accountId = await newAccount();
      for (const { id: userId } of [gone, stays])
        await joinAccount(store(), { userId, accountId, role: 'owner' });
      const entry = { at: NOW, by: 'Jo', accountId, action: 'user_deleted', target: gone.id, detail: '' };
      await store().removeUser(gone, entry);
      expect(await store().findUser(gone.id)).toBeUndefined();
      expect(await store().findUser(stays.id)).toMatchObject({ email: stays.email });
      expect(await store().memberships({ accountId })).toMatchObject([{ userId: stays.id }]);
      expect(await store().sessions(gone.id)).toEqual([]);
      await store().removeUser(gone, entry);
      expect((await store().auditEntries(accountId, null, 10)).entries).toEqual([entry]);
    });

    it('sign in with a session, and can add a second factor to it', async () => {
      const { email } = await newUser();
      const auth = await signIn();
      const body = { email, password: 'a password' };
      const answer = await auth.api.signInEmail({ body, asResponse: true });
      const cookie = answer.headers.getSetCookie().map((text) => text.split(';')[0]);
      const headers = new Headers({ cookie: cookie.join('; ') });
      expect((await auth.api.getSession({ headers }))?.user.email).toBe(email);
      const enrolled = await auth.api.enableTwoFactor({ body: { password: 'a password' }, headers });
      expect(JSON.stringify(enrolled)).toContain('otpauth://');
      await expect(auth.api.signInEmail({ body: { email, password: 'wrong one' } })).rejects.toThrow();
    });

    it('are members of accounts with a role that can change or end', async () => {
      const [first, second] = [await newAccount(), await newAccount()];
      const [jo, al] = [await newUser(), await newUser()];
      const membership = { userId: jo.id, accountId: first, role: 'member' } as const;
      await joinAccount(store(), membership);
      expect(await store().changeRole({ ...membership, role: 'owner' }, null)).toBe(true);
      await joinAccount(store(), { ...membership, accountId: second });
      await joinAccount(store(), { ...membership, userId: al.id });
      const sorted = (userIds: string[]) => userIds.sort();
      expect(await store().memberships({ userId: jo.id })).toEqual(
        [
          { ...membership, role: 'owner' },
          { ...membership, accountId: second },
        ].sort((a, b) => (a.accountId < b.accountId ? -1 : 1)),
      );
      const ofOne = await store().memberships({ accountId: first });
      expect(sorted(ofOne.map(({ userId }) => userId))).toEqual(sorted([jo.id, al.id]));
      expect(await store().removeMembership({ userId: al.id, accountId: first })).toBe(true);
      expect(await store().memberships({ userId: al.id })).toEqual([]);
    });

    it('change their role, but an account keeps an owner when several change at once', async () => {
      const accountId = await newAccount();
      const owners = await Promise.all([1, 2, 3].map(newUser));
      for (const { id: userId } of owners) await joinAccount(store(), { userId, accountId, role: 'owner' });
      const demote = ({ id: userId }: { id: string }) => {
        const entry = { at: NOW, by: 'Jo', accountId, action: 'role_changed', target: userId, detail: '' };
        return store().changeRole({ userId, accountId, role: 'member' }, null, entry);
      };
      const changed = await Promise.all(owners.map(demote));
      expect(changed.filter((yes) => yes)).toHaveLength(2);
      const memberships = await store().memberships({ accountId });
      const [last, ...others] = memberships.filter(({ role }) => role === 'owner');
      if (last === undefined) throw new Error('no owner');
      expect(others).toEqual([]);
      expect((await store().auditEntries(accountId, null, 10)).entries).toHaveLength(2);
      expect(await store().changeRole(last, null)).toBe(true);
      for (const membership of memberships)
        expect(await store().changeRole({ ...membership, role: 'owner' }, null)).toBe(true);
      const { id: userId } = await newUser();
      expect(await store().changeRole({ userId, accountId, role: 'member' }, null)).toBe(false);
      expect(await store().memberships({ userId })).toEqual([]);
    });

    it('are removed, but an account keeps an owner when several are removed at once', async () => {
      const accountId = await newAccount();
      const owners = await Promise.all([1, 2, 3].map(newUser));
      for (const { id: userId } of owners) await joinAccount(store(), { userId, accountId, role: 'owner' });
      const remove = ({ id: userId }: { id: string }) => {
        const entry = { at: NOW, by: 'Jo', accountId, action: 'person_removed', target: userId, detail: '' };
        return store().removeMembership({ userId, accountId }, entry);
      };
      const removed = await Promise.all(owners.map(remove));
      expect(removed.filter((yes) => yes)).toHaveLength(2);
      expect(await store().memberships({ accountId })).toMatchObject([{ role: 'owner' }]);
      expect((await store().auditEntries(accountId, null, 10)).entries).toHaveLength(2);
      const { id: userId } = await newUser();
      await joinAccount(store(), { userId, accountId, role: 'member' });
      expect(await store().removeMembership({ userId, accountId })).toBe(true);
      expect(await store().removeMembership({ userId, accountId })).toBe(false);
    });

    it('keep their role where they accept an invitation with another one', async () => {
      const [accountId, { id: userId, email }] = [await newAccount(), await newUser()];
      const membership = { userId, accountId, role: 'owner' } as const;
      await joinAccount(store(), membership);
      const tokenHash = makeId('key', NOW);
      const invitation = { id: makeId('lst', NOW), tokenHash, email, accountId, role: 'member' } as const;
      const open = { ...invitation, invitedBy: 'x', expiresAt: NOW + 1, acceptedAt: null };
      await store().saveInvitation(open);
      expect(await store().joinAsUser(userId, tokenHash, NOW)).toBe(true);
      expect(await store().memberships({ accountId })).toEqual([membership]);
    });

    it('have one open invitation to an account: the newest', async () => {
      const [accountId, other] = [await newAccount(), await newAccount()];
      const invite = async (fields: Partial<Invitation>) => {
        const invitation: Invitation = {
          id: makeId('lst', NOW),
          tokenHash: makeId('key', NOW),
          email: 'al@example.com',
          accountId,
          role: 'owner',
          invitedBy: 'x',
          expiresAt: NOW + 1,
          acceptedAt: null,
          ...fields,
        };
        await store().saveInvitation(invitation);
        return invitation;
      };
      const [accepted, first, elsewhere, ofOther] = [
        await invite({ acceptedAt: NOW }),
        await invite({}),
        await invite({ accountId: other }),
        await invite({ email: 'jo@example.com' }),
      ];
      const newest = await invite({ role: 'member' });
      expect(await store().findInvitation(first)).toBeUndefined();
      for (const invitation of [accepted, elsewhere, ofOther, newest])
        expect(await store().findInvitation(invitation)).toEqual(invitation);
    });

    it('change their role, and leave, only while they have the role that this was decided on', async () => {
      const accountId = await newAccount();
      const { id: userId } = await newUser();
      const membership = { userId, accountId, role: 'member' } as const;
      await joinAccount(store(), membership);
      await joinAccount(store(), { userId: (await newUser()).id, accountId, role: 'owner' });
      const changes = await Promise.all(
        (['owner', 'analyst'] as const).map((role) => store().changeRole({ ...membership, role }, 'member')),
      );
      expect(changes.filter((yes) => yes)).toHaveLength(1);
      expect(await store().removeMembership(membership)).toBe(false);
      const [current] = await store().memberships({ userId, accountId });
      if (current === undefined) throw new Error('no member');
      expect(await store().removeMembership(current)).toBe(true);
      expect(await store().removeMembership({ userId, accountId })).toBe(false);
    });

    it('are invited by a link, found by the hash of its secret', async () => {
      const accountId = await newAccount();
      const invitation: Invitation = {
        id: makeId('lst', NOW),
        tokenHash: makeId('key', NOW),
        email: 'jo@example.com',
        accountId,
        role: 'owner',
        invitedBy: HARD,
        expiresAt: NOW + 1,
        acceptedAt: null,
      };
      await store().saveInvitation(invitation);
      expect(await store().findInvitation({ tokenHash: invitation.tokenHash })).toEqual(invitation);
      await store().saveInvitation({ ...invitation, acceptedAt: NOW });
      await store().saveInvitation(invitation);
      expect(await store().invitations({ accountId })).toEqual([{ ...invitation, acceptedAt: NOW }]);
      const twin = { ...invitation, id: makeId('lst', NOW) };
      await expect(store().saveInvitation(twin)).rejects.toThrow();
      await store().removeInvitation(invitation.id);
      expect(await store().findInvitation({ id: invitation.id })).toBeUndefined();
    });

    it('have sessions that are recorded, listed and ended, with an audit entry if there was a session', async () => {
      const { id: userId, email } = await newUser();
      const other = await newUser();
      const auth = await signIn();
      for (const _ of [1, 2]) await auth.api.signInEmail({ body: { email, password: 'a password' } });
      const [first, second, third] = await store().sessions(userId);
      if (first === undefined || second === undefined || third === undefined) throw new Error('no sessions');
      expect(Math.abs(first.seenAt - Date.now())).toBeLessThan(60_000);
      const used = {
        id: second.id,
        createdAt: NOW,
        seenAt: Date.now() + 100_000,
        network: '2001:db8::/64',
        userAgent: HARD.replaceAll(/[^\x20-\xff]/g, ''),
      };
      await store().touchSession(used);
      await store().touchSession({ ...used, id: 'none' });
      expect((await store().sessions(userId))[0]).toEqual(used);
      const entry = (action: string): AuditEntry => ({
        at: NOW,
        by: email,
        accountId: userId,
        action,
        target: '',
        detail: '',
      });
      await store().endSessions({ userId: other.id, only: first.id }, entry('of nobody'));
      await store().endSessions({ userId, only: first.id }, entry('one'));
      expect((await store().sessions(userId)).map(({ id }) => id)).toEqual([used.id, third.id]);
      await store().endSessions({ userId, except: used.id }, entry('others'));
      await store().endSessions({ userId, except: used.id }, entry('no others'));
      expect(await store().sessions(userId)).toEqual([used]);
      await store().endSessions({ userId }, entry('all'));
      expect(await store().sessions(userId)).toEqual([]);
      const { entries } = await store().auditEntries(userId, null, 10);
      expect(entries.map(({ action }) => action)).toEqual(['all', 'others', 'one']);
      expect(await store().sessions(other.id)).toHaveLength(1);
    });

    it('lose expired sessions, codes and locks, and nothing else', async () => {
      const { id: userId, email } = await newUser();
      const auth = await signIn();
      for (const _ of [1, 2]) await auth.api.signInEmail({ body: { email, password: 'a password' } });
      const [idle, old, open] = await store().sessions(userId);
      if (idle === undefined || old === undefined || open === undefined) throw new Error('no sessions');
      const LONG_AGO = Date.UTC(2020, 0, 1);
      await store().touchSession({ ...idle, createdAt: LONG_AGO + 2, seenAt: LONG_AGO - 1 });
      await store().touchSession({ ...old, createdAt: LONG_AGO + 1, seenAt: LONG_AGO + 9 });
      const link = (tokenHash: string, expiresAt: number) =>
        store().saveLink({ tokenHash, purpose: 'reset', userId, expiresAt });
      const [past, future] = [makeId('key', NOW), makeId('key', NOW)];
      await link(past, LONG_AGO - 1);
      await link(future, LONG_AGO + 1);
      await store().tidySignIn({ createdAt: LONG_AGO + 2, seenAt: LONG_AGO, now: LONG_AGO });
      expect((await store().sessions(userId)).map(({ id }) => id)).toEqual([open.id]);
      expect(await store().findLink(past, LONG_AGO - 2)).toBeUndefined();
      expect(await store().findLink(future, LONG_AGO)).toMatchObject({ userId });
    });
  });

  describe('a link that is used several times at once', () => {
    const yesesOf = async (ask: (index: number) => Promise<boolean>) => {
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(ask));
      return answers.filter((yes) => yes).length;
    };

    it('adds an existing user to an account once', async () => {
      const [accountId, { id: userId, email }] = [await newAccount(), await newUser()];
      const tokenHash = makeId('key', NOW);
      const invitation = { id: makeId('lst', NOW), tokenHash, email, accountId, role: 'owner' } as const;
      const saved = { ...invitation, invitedBy: 'x', expiresAt: NOW + 1, acceptedAt: null };
      await store().saveInvitation(saved);
      expect(await store().joinAsUser('nobody', tokenHash, NOW)).toBe(false);
      expect(await store().joinAsUser(userId, tokenHash, NOW + 1)).toBe(false);
      expect(await yesesOf(() => store().joinAsUser(userId, tokenHash, NOW))).toBe(1);
      expect(await store().memberships({ accountId })).toEqual([{ userId, accountId, role: 'owner' }]);
    });

    it('sets a new password once', async () => {
      const { id: userId } = await newUser();
      const tokenHash = makeId('key', NOW);
      await store().saveLink({ tokenHash, purpose: 'reset', userId, expiresAt: NOW + 1 });
      expect(await store().resetPassword('late', tokenHash, NOW + 1)).toBe(false);
      expect(await yesesOf((index) => store().resetPassword(`hash ${index}`, tokenHash, NOW))).toBe(1);
    });
  });
}
