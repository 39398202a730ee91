/** Says which signups a simulation does not count, because no answer to them would change. */
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import { pluralize } from '../ui/format.ts';

/** `undefined`: all are counted. */
export function leftOutWords({ left_out: leftOut }: Pick<Simulation, 'left_out'>): string | undefined {
  const { own_thresholds: own, observed, revoked } = leftOut;
  const parts = [
    ...(observed > 0 ? [`${pluralize(observed, 'signup')} on keys that only observe`] : []),
    ...(own > 0 ? [`${pluralize(own, 'signup')} on keys with their own thresholds`] : []),
    ...(revoked > 0 ? [`${pluralize(revoked, 'signup')} on revoked keys`] : []),
  ];
  return parts.length === 0 ? undefined : `Not counted: ${parts.join(', ')}.`;
}
