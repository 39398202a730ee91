import { describe, expect, it } from 'vitest';
import type { Key } from '../store/store.ts';
import { draftEffect } from './dashboard-simulate.ts';

const key = (id: string, changes: Partial<Key> = {}) => ({
  id,
  thresholds: null,
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
] as Key[];

describe('a draft', () => {
  it('of the account’s thresholds leaves out revoked keys, and keys with their own thresholds', () => {
    const effectOn = draftEffect({ keys, accountThresholds, reweighted: false });
    expect(effectOn('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(effectOn('own')).toEqual({ kind: 'none', why: 'own_thresholds' });
    expect(effectOn('revoked')).toEqual({ kind: 'none', why: 'revoked' });
    expect(effectOn('revoked own')).toEqual({ kind: 'none', why: 'revoked' });
    expect(effectOn('key_dashboard')).toEqual({ kind: 'thresholds', current: accountThresholds });
  });

  it('of weights affects every key that is not revoked, and keys keep their thresholds', () => {
    const effectOn = draftEffect({ keys, accountThresholds, reweighted: true });
    expect(effectOn('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(effectOn('own')).toEqual({ kind: 'weights', current: OWN });
    expect(effectOn('revoked')).toEqual({ kind: 'none', why: 'revoked' });
  });

  it('of one key’s thresholds is compared with the key’s current ones', () => {
    const of = (keyId: string) => draftEffect({ keys, accountThresholds, keyId, reweighted: false })(keyId);
    expect(of('own')).toEqual({ kind: 'thresholds', current: OWN });
    expect(of('plain')).toEqual({ kind: 'thresholds', current: accountThresholds });
    expect(of('revoked')).toEqual({ kind: 'none', why: 'revoked' });
  });
});
