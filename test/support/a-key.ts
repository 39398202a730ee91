/** A key for tests: unused, without limits, of mode `live`. */
import type { Key } from '../../src/store/store.ts';

export function aKey(values: Pick<Key, 'id' | 'accountId'> & Partial<Key>): Key {
  return {
    name: 'signup form',
    mode: 'live',
    enforcedShare: 100,
    hash: values.id,
    prefix: 'sk_live_abcd',
    thresholds: null,
    createdAt: 1,
    lastUsedAt: null,
    rotatedAt: null,
    previous: null,
    expiresAt: null,
    allowedRanges: null,
    revokedAt: null,
    ...values,
  };
}
