import { describe, expect, it } from 'vitest';
import type { Key } from '../store/store.ts';
import { draftEffect } from './dashboard-simulate.ts';

const key = (id: string, changes: Partial<Key> = {}) => ({
  id,
  thresholds: null,
  shadow: false,
  revokedAt: null,
  ...changes,
});
const OWN = { challenge: 20, block: 40 };
const accountThresholds = { challenge: 28, block: 58 };
const keys = [
  key('plain'),
  key('own', { thresholds: OWN }),
  key('revoked', { revokedAt: 1 }),
  key('revoked own', { thresholds: OWN, revokedAt: 1 }),
  key('observed', { shadow: true }),
] as Key[];

describe('a draft', () => {
  it('of the account’s thresholds leaves out revoked keys, and keys with their own thresholds', () => {
    const effectOn = draftEffect({ keys, accountThresholds, reweighted: false, withObserved: false });
    expect(effectOn('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(effectOn('own')).toEqual({ kind: 'none', why: 'own_thresholds' });
    expect(effectOn('revoked')).toEqual({ kind: 'none', why: 'revoked' });
    expect(effectOn('revoked own')).toEqual({ kind: 'none', why: 'revoked' });
    expect(effectOn('key_dashboard')).toEqual({ kind: 'thresholds', current: accountThresholds });
  });

  it('of weights affects every key that is not revoked, and keys keep their thresholds', () => {
    const effectOn = draftEffect({ keys, accountThresholds, reweighted: true, withObserved: false });
    expect(effectOn('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(effectOn('own')).toEqual({ kind: 'weights', current: OWN });
    expect(effectOn('revoked')).toEqual({ kind: 'none', why: 'revoked' });
  });

  it('of one key’s thresholds is compared with the key’s current ones', () => {
    const of = (keyId: string) =>
      draftEffect({ keys, accountThresholds, keyId, reweighted: false, withObserved: false })(keyId);
    expect(of('own')).toEqual({ kind: 'thresholds', current: OWN });
    expect(of('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(of('revoked')).toEqual({ kind: 'none', why: 'revoked' });
    expect(of('observed')).toEqual({ kind: 'thresholds', current: accountThresholds });
  });

  it('changes no answer of a key in shadow mode, unless its signups are to count as well', () => {
    for (const reweighted of [false, true]) {
      const of = (withObserved: boolean) =>
        draftEffect({ keys, accountThresholds, reweighted, withObserved });
      expect(of(false)('observed')).toEqual({ kind: 'none', why: 'observed' });
      expect(of(true)('observed')).toEqual({ kind: 'thresholds', current: accountThresholds });
    }
  });
});
