/** Decides which keys a draft of thresholds and weights touches, and which thresholds are in force for each. */
import type { DraftEffect } from '../assess/explain/simulation.ts';
import type { Thresholds } from '../model/policy.ts';
import type { Key } from '../store/store.ts';

export interface DraftTarget {
  /** The account's keys, revoked ones too. */
  readonly keys: readonly Key[];
  /** In force for keys without thresholds of their own. */
  readonly accountThresholds: Thresholds;
  /** The key whose thresholds are drafted; absent: the account's. */
  readonly keyId?: string;
  /** Whether other weights are tried: they touch every key. */
  readonly reweighed: boolean;
}

/** Any other key id marks signups from the page "Try it": the account's thresholds apply to those. */
export function draftEffect({ keys, accountThresholds, keyId, reweighed }: DraftTarget) {
  const effects = new Map(keys.map((key) => [key.id, effectOnKey(key)]));
  const onOthers: DraftEffect = { kind: 'thresholds', current: accountThresholds };

  function effectOnKey({ id, thresholds, revokedAt }: Key): DraftEffect {
    if (revokedAt !== null) return { kind: 'none', why: 'revoked' };
    const current = thresholds ?? accountThresholds;
    if (thresholds === null || id === keyId) return { kind: 'thresholds', current };
    return reweighed ? { kind: 'weights', current } : { kind: 'none', why: 'own_thresholds' };
  }

  return (id: string): DraftEffect => effects.get(id) ?? onOthers;
}
