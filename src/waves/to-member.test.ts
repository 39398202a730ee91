import { expect, it } from 'vitest';
import { EMPTY_EMAIL } from '../model/evidence.ts';
import { readSignupAttempt, toSubject } from '../signup/prepare-signup.ts';
import { toMember } from './to-member.ts';

it.each([
  ['nobody knows', {}, 'private'],
  ['strangers share', { consumer: true }, 'provider'],
  ['programs give names at', { relay: true }, 'relay'],
  ['lists call throw-away', { disposable: true }, 'relay'],
  ['one list calls throw-away, and other facts do not', { disposableDisputed: true }, 'private'],
  ['something speaks for', { standing: 'institution' }, 'guarded'],
] as const)('a domain that %s: %j is %s', (_, facts, kind) => {
  const attempt = readSignupAttempt({ email: 'ann@postfarm.example' });
  const subject = toSubject(attempt, { id: '1', account: 'acc_1', at: 0 }, (text) => text);
  expect(toMember(subject, { ...EMPTY_EMAIL, ...facts }, null).domainKind).toBe(kind);
});
