/** What is tried but not saved yet: thresholds for the account or one key, and weights. */
import { useState } from 'react';
import type { KeyRow, PolicyPage } from '../../../../src/contract/dashboard/account.ts';
import type { Thresholds } from '../../../../src/contract/thresholds.ts';

export interface Draft {
  /** The key whose traffic and thresholds are looked at; `undefined`: the account's. */
  readonly apiKey: KeyRow | undefined;
  /** In force for what is looked at. */
  readonly saved: Thresholds;
  readonly thresholds: Thresholds;
  readonly moved: boolean;
  /** Weights that differ from those in force, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  readonly reweighed: boolean;
  setThresholds(thresholds: Thresholds): void;
  /** A weight equal to the one in force is no change. */
  setWeight(detector: string, weight: number): void;
  /** Every detector's weight, as of a version. */
  tryWeights(weights: Readonly<Record<string, number>>): void;
  dropThresholds(): void;
  dropWeights(): void;
}

export function useDraft(policy: PolicyPage, keyId: string | undefined): Draft {
  const [tried, setTried] = useState<{ of: string | undefined; thresholds: Thresholds }>();
  const [changes, setChanges] = useState<Readonly<Record<string, number>>>({});
  const apiKey = policy.keys.find(({ id }) => id === keyId);
  const saved = apiKey?.thresholds ?? policy.thresholds;
  const thresholds = tried !== undefined && tried.of === apiKey?.id ? tried.thresholds : saved;
  const inForce = new Map(policy.detectors.map(({ detector, weight }) => [detector, weight]));
  // After they were saved, what was tried is in force.
  const weights = Object.fromEntries(
    Object.entries(changes).filter(([detector, weight]) => inForce.get(detector) !== weight),
  );
  return {
    apiKey,
    saved,
    thresholds,
    moved: thresholds.challenge !== saved.challenge || thresholds.block !== saved.block,
    weights,
    reweighed: Object.keys(weights).length > 0,
    setThresholds: (next) => setTried({ of: apiKey?.id, thresholds: next }),
    setWeight: (detector, weight) => setChanges({ ...weights, [detector]: weight }),
    tryWeights: setChanges,
    dropThresholds: () => setTried(undefined),
    dropWeights: () => setChanges({}),
  };
}
