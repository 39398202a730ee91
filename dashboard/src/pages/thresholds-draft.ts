/** The unsaved draft: thresholds for the account or one key, and weights. It is in the URL. */
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
  const setWeights = (changes: Readonly<Record<string, number>>) => setQuery(weightsQuery(changes, inForce));
  return {
    apiKey,
    saved,
    thresholds,
    moved: thresholds.challenge !== saved.challenge || thresholds.block !== saved.block,
    weights,
    reweighed: Object.keys(weights).length > 0,
    setThresholds: (next) => setQuery(thresholdsQuery(next, inForce)),
    setWeight: (detector, weight) => setWeights({ [detector]: weight }),
    tryWeights: setWeights,
    dropThresholds: () => setQuery(NO_THRESHOLDS),
    dropWeights: () => setWeights(Object.fromEntries(inForce.weights)),
  };
}
