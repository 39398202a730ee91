/** Validates thresholds and weights that somebody sets. */
import type { Thresholds } from '../model/policy.ts';
import { RULES } from '../signup/policy.ts';
import { bodyOf, unusable } from './dashboard-values.ts';

export const THRESHOLDS_SCHEMA = bodyOf({ challenge: { type: 'number' }, block: { type: 'number' } });

/** @throws Problem `invalid_value` unless 1 ≤ challenge ≤ block ≤ 100, in whole numbers */
export function readThresholds({ challenge, block }: Thresholds): Thresholds {
  if (!isThreshold(challenge)) throw refusal('challenge');
  if (!isThreshold(block)) throw refusal('block');
  if (challenge > block) {
    const advice = 'Send a `challenge` that is at most `block`.';
    throw unusable('challenge', 'Nothing would be challenged below the block threshold.', advice);
  }
  return { challenge, block };
}

const isThreshold = (value: number) => Number.isInteger(value) && value >= 1 && value <= 100;

const refusal = (param: string) =>
  unusable(param, `\`${param}\` is not a threshold.`, 'Send a whole number from 1 to 100.');

export const WEIGHTS_SCHEMA = { type: 'object', additionalProperties: { type: 'number' } };

/** Rounds to one decimal, like the weights of findings. @throws Problem `invalid_value` */
export function readWeights(weights: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(weights).map(([detector, weight]) => [detector, readWeight(detector, weight)]),
  );
}

function readWeight(detector: string, weight: number): number {
  const limit = RULES.find((rule) => rule.detector === detector)?.limit;
  if (limit === undefined)
    throw unusable('weights', `There is no detector ${detector.slice(0, 60)}.`, 'Name those of the policy.');
  if (weight > limit)
    throw unusable(
      'weights',
      `The weight of ${detector} can be at most ${limit}.`,
      `Send a number from 0 to ${limit}.`,
    );
  if (!(weight >= 0))
    throw unusable('weights', `The weight of ${detector} cannot be used.`, 'Send a number from 0 to 100.');
  return Math.round(weight * 10) / 10;
}
