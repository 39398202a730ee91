import { describe, expect, it } from 'vitest';
import type { StoredUser } from '../store/dashboard-store.ts';
import { loginsOf } from './dashboard-session.ts';

describe('loginsOf', () => {
  const of = (address: string, logins: string[]) =>
    loginsOf({ usersOf: async () => logins.map((login) => ({ login }) as StoredUser) }, address);

  it('are those of everybody who claims the address', async () => {
    expect(await of('jo@example.com', ['jo@example.com', 'usr_1@unverified.invalid'])).toEqual([
      'jo@example.com',
      'usr_1@unverified.invalid',
    ]);
  });

  it('are one where nobody does, which is nobody: the same work is done', async () => {
    expect(await of('jo@example.com', [])).toEqual(['jo@example.com']);
    expect(await of('no address', [])).toEqual(['no address']);
  });

  it('are never the made-up one that was typed', async () => {
    expect(await of('usr_1@unverified.invalid', [])).toEqual(['nobody@unverified.invalid']);
  });
});
