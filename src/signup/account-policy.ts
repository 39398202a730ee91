/** Decides the weights of an account: its own over the defaults, under the version of its own policy. */
import type { WeightSet, Weights } from '../model/policy.ts';
import { DEFAULT_POLICY, RULES } from './policy.ts';

const cache = new WeakMap<WeightSet, WeightSet>();

/** Called for every assessment: the same policy gives the same object. Weights of removed detectors are ignored. */
export function effectiveWeights(own: WeightSet | null): WeightSet {
  if (own === null) return DEFAULT_POLICY;
  const known = cache.get(own);
  if (known !== undefined) return known;
  const weightSet = { version: own.version, weights: overlay(DEFAULT_POLICY.weights, own.weights) };
  cache.set(own, weightSet);
  return weightSet;
}

/** `base` with the values of `changes` for detectors that exist. */
export function overlay(base: Weights, changes: Weights): Weights {
  return Object.fromEntries(
    RULES.map(({ detector }) => [detector, changes[detector] ?? base[detector] ?? 0] as const),
  );
}

/** Only what differs from the defaults. */
export function ownWeights(weights: Weights): Weights {
  return Object.fromEntries(
    Object.entries(weights).filter(([detector, weight]) => weight !== DEFAULT_POLICY.weights[detector]),
  );
}
