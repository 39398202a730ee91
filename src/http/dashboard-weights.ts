/** Decides whether weights that somebody sets can be used. */
import { RULES } from '../assess/policy.ts';
import { unusable } from './dashboard-refusals.ts';

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
