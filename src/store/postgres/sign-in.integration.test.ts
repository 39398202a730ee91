import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/support/an-account.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';

import { hashPassword } from '../../accounts/password.ts';
import { createSignIn } from '../../accounts/sign-in.ts';
import type { Link, NewUser } from '../sign-in-store.ts';
import { openPostgresStore, type PostgresStore } from './postgres.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 33);
const AT_ONCE = 6;

describe('sign-in with PostgreSQL', () => {
  let stores: [PostgresStore, PostgresStore];
  let count = 0;

  beforeAll(async () => {
    const url = await newMigratedDatabase();
    stores = [await openPostgresStore({ url }), await openPostgresStore({ url })];
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  const name = (what: string) => {
    count += 1;
    return `${what}${count}`;
  };
  const newUser = (values: Partial<NewUser> = {}): NewUser => {
    const id = name('user');
    return { id, email: `${id}@example.com`, name: 'Jo', passwordHash: 'hash', ...values };
  };
  const newLink = async (purpose: Link['purpose'], userId: string | null = null) => {
    const link = { tokenHash: name('token'), purpose, userId, expiresAt: NOW + 1_000 };
    await stores[0].saveLink(link);
    return link;
  };
  /** How many of several simultaneous attempts on two nodes succeed. */
  async function yesesOf(ask: (store: PostgresStore, index: number) => Promise<boolean>): Promise<number> {
    const attempts = Array.from({ length: AT_ONCE }, (_, index) =>
      ask(stores[index % 2] as PostgresStore, index),
    );
    return (await Promise.all(attempts)).filter((yes) => yes).length;
  }

  it('the first operator is created once, by one of several simultaneous links', async () => {
    const another = await newLink('first');
    const link = await newLink('first');
    expect(await stores[1].findLink(another.tokenHash, NOW)).toEqual(another);
    expect(await stores[1].findLink(link.tokenHash, NOW)).toEqual(link);
    expect(await stores[1].findLink(link.tokenHash, link.expiresAt)).toBeUndefined();
    expect(await yesesOf((store) => store.claimOperator(newUser(), link.tokenHash, NOW))).toBe(1);
    expect((await stores[0].users()).filter(({ operator }) => operator)).toHaveLength(1);
    expect(await stores[0].findLink(another.tokenHash, NOW)).toBeUndefined();
    const late = await newLink('first');
    expect(await stores[0].findLink(late.tokenHash, NOW)).toBeUndefined();
    expect(await stores[0].claimOperator(newUser(), late.tokenHash, NOW)).toBe(false);
  });

  it('a link creates one operator, and can still be used after an email that is taken', async () => {
    const { tokenHash } = await newLink('operator');
    const [taken] = await stores[0].users();
    const twin = newUser({ email: taken?.email as string });
    expect(await stores[0].claimOperator(twin, tokenHash, NOW)).toBe(false);
    expect(await yesesOf((store) => store.claimOperator(newUser(), tokenHash, NOW))).toBe(1);
  });

  it('an invitation is accepted once, by a new user or by an existing user', async () => {
    const accountId = name('acc_');
    await stores[0].saveAccount(anAccount({ id: accountId, name: 'a', createdAt: NOW }));
    const invite = async (email: string) => {
      const invitation = {
        id: name('inv'),
        tokenHash: name('token'),
        email,
        accountId,
        role: 'owner',
      } as const;
      await stores[0].saveInvitation({
        ...invitation,
        invitedBy: 'x',
        expiresAt: NOW + 1_000,
        acceptedAt: null,
      });
      return invitation.tokenHash;
    };
    const user = newUser();
    const first = await invite(user.email);
    expect(await stores[0].joinAsNewUser(newUser(), first, NOW)).toBe(false);
    expect(await stores[0].joinAsNewUser(user, first, NOW + 1_000)).toBe(false);
    const ids = Array.from({ length: AT_ONCE }, () => name('user'));
    const joins = await yesesOf((store, index) =>
      store.joinAsNewUser({ ...user, id: ids[index] as string }, first, NOW),
    );
    expect(joins).toBe(1);
    const userId = (await stores[0].findUserId(user.email)) as string;
    const second = await invite(user.email);
    expect(await stores[0].joinAsUser('nobody', second, NOW)).toBe(false);
    expect(await yesesOf((store) => store.joinAsUser(userId, second, NOW))).toBe(1);
    expect(await stores[0].memberships({ accountId })).toEqual([{ userId, accountId, role: 'owner' }]);
  });

  it('a sign-in creates a session, which a new password ends', async () => {
    const password = 'correct horse battery';
    const user = newUser({ passwordHash: await hashPassword(password) });
    await stores[0].claimOperator(user, (await newLink('operator')).tokenHash, NOW);
    const secret = randomBytes(32);
    const [here, there] = stores.map((store) =>
      createSignIn({ store, secret, clock: CLOCK, onFault: fail }),
    ) as [SignIn, SignIn];
    const wrong = await here.call('sign-in/email', { email: user.email, password: 'another' }, visitor());
    expect(wrong.ok).toBe(false);
    const answer = await here.call('sign-in/email', { email: user.email, password }, visitor());
    expect(answer).toMatchObject({ ok: true, code: '' });
    const cookie = answer.cookies.map((text) => text.split(';')[0]).join('; ');
    expect((await there.session(visitor(cookie)))?.userId).toBe(user.id);
    const enrolled = await there.call('two-factor/enable', { password }, visitor(cookie));
    expect(JSON.stringify(enrolled.body)).toContain('otpauth://');
    const link = await newLink('reset', user.id);
    const hash = await hashPassword('another staple entirely');
    expect(await yesesOf((store) => store.resetPassword(hash, link.tokenHash, NOW))).toBe(1);
    expect(await here.session(visitor(cookie))).toBeUndefined();
    const again = { email: user.email, password: 'another staple entirely' };
    expect((await there.call('sign-in/email', again, visitor())).ok).toBe(true);
  });
});

type SignIn = ReturnType<typeof createSignIn>;
const CLOCK = { now: Date.now, isConfirmed: () => true };
const visitor = (cookie?: string) => ({ cookie, network: '192.0.2.1', userAgent: 'a browser' });
function fail(error: unknown): never {
  throw error;
}
