import { expect, it } from 'vitest';
import { EMPTY_EMAIL } from '../model/evidence.ts';
import { type MemberSignup, toMember } from './to-member.ts';

const SIGNUP: MemberSignup = {
  account: 'acc_1',
  at: 0,
  network: null,
  domain: 'postfarm.example',
  addressHash: 'ann',
  mailbox: 'ann',
};

it.each([
  ['nobody knows', {}, 'private'],
  ['strangers share', { consumer: true }, 'provider'],
  ['programs give names at', { relay: true }, 'relay'],
  ['lists call throw-away', { disposable: true }, 'relay'],
  ['one list calls throw-away, and other facts do not', { disposableDisputed: true }, 'private'],
  ['something speaks for', { standing: 'institution' }, 'guarded'],
] as const)('a domain that %s: %j is %s', (_, facts, kind) => {
  expect(toMember(SIGNUP, { ...EMPTY_EMAIL, ...facts }, null).domainKind).toBe(kind);
});
