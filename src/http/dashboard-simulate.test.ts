import { describe, expect, it } from 'vitest';
import { isEnforced } from '../model/enforced-share.ts';
import type { Key } from '../store/store.ts';
import { draftEffect } from './dashboard-simulate.ts';

const key = (id: string, changes: Partial<Key> = {}) => ({
  id,
  thresholds: null,
  enforcedShare: 100,
  revokedAt: null,
  ...changes,
});
const signup = (keyId: string, mailboxHash = 'a') => ({ keyId, mailboxHash });
const OWN = { challenge: 20, block: 40 };
const accountThresholds = { challenge: 28, block: 58 };
const keys = [
  key('plain'),
  key('own', { thresholds: OWN }),
  key('revoked', { revokedAt: 1 }),
  key('revoked own', { thresholds: OWN, revokedAt: 1 }),
  key('observed', { enforcedShare: 0 }),
  key('partly observed', { enforcedShare: 50 }),
] as Key[];

describe('a draft', () => {
  it('of the account’s thresholds leaves out revoked keys, and keys with their own thresholds', () => {
    const effectOn = draftEffect({ keys, accountThresholds, reweighted: false, withObserved: false });
    expect(effectOn(signup('plain'))).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(effectOn(signup('own'))).toEqual({ kind: 'none', why: 'own_thresholds' });
    expect(effectOn(signup('revoked'))).toEqual({ kind: 'none', why: 'revoked' });
    expect(effectOn(signup('revoked own'))).toEqual({ kind: 'none', why: 'revoked' });
    expect(effectOn(signup('key_dashboard'))).toEqual({ kind: 'thresholds', current: accountThresholds });
  });

  it('of weights affects every key that is not revoked, and keys keep their thresholds', () => {
    const effectOn = draftEffect({ keys, accountThresholds, reweighted: true, withObserved: false });
    expect(effectOn(signup('plain'))).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(effectOn(signup('own'))).toEqual({ kind: 'weights', current: OWN });
    expect(effectOn(signup('revoked'))).toEqual({ kind: 'none', why: 'revoked' });
  });

  it('of one key’s thresholds is compared with the key’s current ones', () => {
    const of = (keyId: string) =>
      draftEffect({ keys, accountThresholds, keyId, reweighted: false, withObserved: false })(signup(keyId));
    expect(of('own')).toEqual({ kind: 'thresholds', current: OWN });
    expect(of('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(of('revoked')).toEqual({ kind: 'none', why: 'revoked' });
    expect(of('observed')).toEqual({ kind: 'thresholds', current: accountThresholds });
  });

  it('changes no answer of a key in shadow mode, unless its signups are to count as well', () => {
    for (const reweighted of [false, true]) {
      const of = (withObserved: boolean) =>
        draftEffect({ keys, accountThresholds, reweighted, withObserved });
      expect(of(false)(signup('observed'))).toEqual({ kind: 'none', why: 'observed' });
      expect(of(true)(signup('observed'))).toEqual({ kind: 'thresholds', current: accountThresholds });
    }
  });

  it('changes the answers of a key that enforces for some people for these alone', () => {
    const mailboxes = Array.from({ length: 200 }, (_, at) => `mailbox ${at}`);
    const partly = keys.find(({ id }) => id === 'partly observed') as Key;
    const kindsOf = (withObserved: boolean, keyId?: string) => {
      const draft = { keys, accountThresholds, reweighted: false, withObserved, ...(keyId && { keyId }) };
      const effectOn = draftEffect(draft);
      return mailboxes.map((mailbox) => effectOn(signup(partly.id, mailbox)).kind);
    };
    const expected = mailboxes.map((mailbox) => (isEnforced(partly, mailbox) ? 'thresholds' : 'none'));
    expect(kindsOf(false)).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
    for (const kinds of [kindsOf(true), kindsOf(false, partly.id)])
      expect(new Set(kinds)).toEqual(new Set(['thresholds']));
  });
});
