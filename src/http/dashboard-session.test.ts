import { describe, expect, it } from 'vitest';
import type { StoredUser } from '../store/dashboard-store.ts';
import { loginsOf } from './dashboard-session.ts';

describe('loginsOf', () => {
  const of = (address: string, logins: string[]) =>
    loginsOf({ usersOf: async () => logins.map((login) => ({ login }) as StoredUser) }, address);

  it('gives the logins of all users who claim the address', async () => {
    expect(await of('jo@example.com', ['jo@example.com', 'usr_1@unverified.invalid'])).toEqual([
      'jo@example.com',
      'usr_1@unverified.invalid',
    ]);
  });

  it('gives one login if nobody claims it, which no user has, so that the same work is done', async () => {
    expect(await of('jo@example.com', [])).toEqual(['jo@example.com']);
    expect(await of('no address', [])).toEqual(['no address']);
  });

  it('never gives a typed login in the reserved form', async () => {
    expect(await of('usr_1@unverified.invalid', [])).toEqual(['nobody@unverified.invalid']);
  });
});
