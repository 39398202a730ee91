/** Decides whether thresholds that somebody sets can be used. */
import type { Thresholds } from '../model/policy.ts';
import { unusable } from './dashboard-refusals.ts';

export const THRESHOLDS_SCHEMA = {
  type: 'object',
  required: ['challenge', 'block'],
  properties: { challenge: { type: 'number' }, block: { type: 'number' } },
};

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
