/** Decides which domains have so many unrelated users that a list entry for one has to be confirmed. */
import { ownerDomain } from '../address/domain.ts';
import type { Intel } from './intel.ts';
import type { ListValue } from './list-value.ts';

/** A public suffix (`co.uk`), a suffix under which strangers get names (`github.io`), or a consumer mail provider. */
export function isCrowdedDomain(
  { kind, value }: Pick<ListValue, 'kind' | 'value'>,
  intel: Pick<Intel, 'domain'>,
): boolean {
  if (kind !== 'domain') return false;
  if (ownerDomain(value) === undefined) return true;
  const { listed, sharedSuffix } = intel.domain(value);
  return listed.consumer || sharedSuffix === value;
}
