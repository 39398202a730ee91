/** Decides whether weights that somebody sets can be used. */
import { RULES } from '../assess/policy.ts';
import { unusable } from './dashboard-refusals.ts';

export const WEIGHTS_SCHEMA = { type: 'object', additionalProperties: { type: 'number' } };

/** To one decimal, as findings are weighed. @throws Problem `invalid_value` */
export function readWeights(weights: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(weights).map(([detector, weight]) => {
      if (!RULES.some((rule) => rule.detector === detector)) {
        throw unusable(
          'weights',
          `There is no detector ${detector.slice(0, 60)}.`,
          'Name those of the policy.',
        );
      }
      if (!(weight >= 0 && weight <= 100)) {
        throw unusable(
          'weights',
          `The weight of ${detector} cannot be used.`,
          'Send a number from 0 to 100.',
        );
      }
      return [detector, Math.round(weight * 10) / 10];
    }),
  );
}
