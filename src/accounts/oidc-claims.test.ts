import { expect, it } from 'vitest';
import { readPerson } from './oidc-claims.ts';
import { OidcFailure } from './oidc-failure.ts';

const ID = { iss: 'https://login.example', sub: '1' };

it('reads what a provider says', () => {
  const claims = { ...ID, email: 'Jo@Example.com', email_verified: true, name: 'Jo', groups: ['a', 1, 'b'] };
  expect(readPerson(claims, 'groups')).toEqual({
    issuer: ID.iss,
    subject: '1',
    email: 'jo@example.com',
    emailVerified: true,
    name: 'Jo',
    groups: ['a', 'b'],
  });
});

it.each([
  [{ email: 'jo@example.com' }, false],
  [{ email: 'jo@example.com', email_verified: false }, false],
  [{ email: 'jo@example.com', email_verified: 'false' }, false],
  [{ email: 'jo@example.com', email_verified: 1 }, false],
  [{ email: 'jo@example.com', email_verified: 'true' }, true],
  [{ email: 'usr_1@unverified.invalid', email_verified: true }, false],
  [{ email: ['jo@example.com'], email_verified: true }, false],
])('takes an address for verified only where that is said: %j', (claims, verified) => {
  expect(readPerson({ ...ID, ...claims }, 'groups').emailVerified).toBe(verified);
});

it.each([
  [{ groups: 'one' }, 'groups', ['one']],
  [{ realm_access: { roles: ['r'] } }, 'realm_access.roles', ['r']],
  [{ 'https://example.com/groups': ['g'] }, 'https://example.com/groups', ['g']],
  [{ groups: { a: 1 } }, 'groups', []],
  [{}, 'constructor', []],
  [{}, 'groups', []],
])('finds the groups of %j', (claims, name, groups) => {
  expect(readPerson({ ...ID, ...claims }, name).groups).toEqual(groups);
});

it('refuses groups that are elsewhere, and subjects that nobody can have', () => {
  const elsewhere = { ...ID, _claim_names: { groups: 'src1' } };
  expect(() => readPerson(elsewhere, 'groups')).toThrow(OidcFailure);
  expect(() => readPerson({ ...ID, sub: 'x'.repeat(256) }, 'groups')).toThrow(OidcFailure);
});

it('finds a name that can be shown', () => {
  expect(readPerson({ ...ID, name: '\u0000 \ud800', preferred_username: 'jo' }, 'groups').name).toBe('jo');
  expect(readPerson(ID, 'groups').name).toBe('1');
});
