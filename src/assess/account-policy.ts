/** Decides the weights an account is judged by: its own over the defaults, under the name of its own policy. */
import { DEFAULT_POLICY, type Policy, RULES } from './policy.ts';

/** The policy an account has made for itself. */
export interface OwnPolicy {
  readonly version: string;
  /** Weights that differ from the defaults, by detector. */
  readonly weights: Readonly<Record<string, number>>;
}

export type Weighing = Omit<Policy, 'thresholds'>;

const made = new WeakMap<OwnPolicy, Weighing>();

/** Asked at every assessment: the same policy gives the same object. A detector that is gone is passed over. */
export function weighingOf(own: OwnPolicy | null): Weighing {
  if (own === null) return DEFAULT_POLICY;
  const known = made.get(own);
  if (known !== undefined) return known;
  const weighing = { version: own.version, weights: overlay(DEFAULT_POLICY.weights, own.weights) };
  made.set(own, weighing);
  return weighing;
}

/** `base` with what `changes` says of detectors that exist. */
export function overlay(base: Policy['weights'], changes: Policy['weights']): Policy['weights'] {
  return Object.fromEntries(
    RULES.map(({ detector }) => [detector, changes[detector] ?? base[detector] ?? 0] as const),
  );
}

/** Only what differs from the defaults. */
export function ownWeights(weights: Policy['weights']): Policy['weights'] {
  return Object.fromEntries(
    Object.entries(weights).filter(([detector, weight]) => weight !== DEFAULT_POLICY.weights[detector]),
  );
}
