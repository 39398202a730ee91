/** The unsaved draft: thresholds for the account or one key, and weights. It is in the URL. */
import { useRef } from 'react';
import type { KeyRow, PolicyPage } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import {
  type InForce,
  NO_THRESHOLDS,
  readDraft,
  thresholdsQuery,
  weightsQuery,
} from './thresholds-draft-query.ts';
import { useSettledQuery } from './thresholds-settled-query.ts';

export interface Draft {
  /** The key whose traffic and thresholds are shown; `undefined`: the account's. */
  readonly apiKey: KeyRow | undefined;
  /** The current thresholds of the account or key. */
  readonly saved: Thresholds;
  readonly thresholds: Thresholds;
  readonly moved: boolean;
  /** Weights that differ from the current ones, by detector. */
  readonly weights: Readonly<Record<string, number>>;
  readonly reweighed: boolean;
  /** Version of the saved settings when the draft began. */
  readonly begun: string;
  /** Version of the saved settings now. */
  readonly version: string;
  /** Call it after a change of the draft was saved: the rest of it is a draft against that. */
  begin(): void;
  setThresholds(thresholds: Thresholds): void;
  /** A weight equal to the current one is no change. */
  setWeight(detector: string, weight: number): void;
  /** Every detector's weight, as of a version. */
  tryWeights(weights: Readonly<Record<string, number>>): void;
  dropThresholds(): void;
  dropWeights(): void;
}

export function useDraft(policy: PolicyPage, keyId: string | undefined): Draft {
  const [query, setQuery] = useSettledQuery();
  const apiKey = policy.keys.find(({ id }) => id === keyId);
  const saved = apiKey?.thresholds ?? policy.thresholds;
  const inForce: InForce = {
    thresholds: saved,
    weights: new Map(policy.detectors.map(({ detector, weight }) => [detector, weight])),
    maxWeights: new Map(policy.detectors.map(({ detector, max_weight }) => [detector, max_weight])),
  };
  const { thresholds, weights } = readDraft(query, inForce);
  const moved = thresholds.challenge !== saved.challenge || thresholds.block !== saved.block;
  const reweighed = Object.keys(weights).length > 0;
  const version = apiKey?.version ?? policy.version;
  const begun = useRef<{ readonly keyId: string | undefined; readonly version: string }>(undefined);
  if ((!moved && !reweighed) || begun.current?.keyId !== keyId) begun.current = undefined;
  begun.current ??= { keyId, version };
  const setWeights = (changes: Readonly<Record<string, number>>) => setQuery(weightsQuery(changes, inForce));
  return {
    apiKey,
    saved,
    thresholds,
    moved,
    weights,
    reweighed,
    begun: begun.current.version,
    version,
    begin() {
      // The next rendering knows the version that was saved.
      begun.current = undefined;
    },
    setThresholds: (next) => setQuery(thresholdsQuery(next, inForce)),
    setWeight: (detector, weight) => setWeights({ [detector]: weight }),
    tryWeights: setWeights,
    dropThresholds: () => setQuery(NO_THRESHOLDS),
    dropWeights: () => setWeights(Object.fromEntries(inForce.weights)),
  };
}
