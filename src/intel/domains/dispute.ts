/** Decides whether a listing as disposable is disputed: something speaks against it that the lists do not outweigh. */

import type { Category, SourceInfo } from '../../model/source.ts';
import { maskOf } from '../claim-resolver.ts';
import { OWN_ORIGIN } from '../sources.ts';

type Witness = Pick<SourceInfo, 'id' | 'says' | 'origin' | 'family' | 'collection'>;

export interface DisputeRules {
  /**
   * `holds`: the claims (a mask of sources) that hold for a name. `above`: those that hold for the names below its
   * nearest listed parent. `shared`: strangers get names under it, and lists that name it mean those.
   */
  isDisputed(holds: bigint, above: bigint, shared: boolean): boolean;
  /** Whether so many independent lists call it disposable, or our own, that popularity and age do not count against them. */
  isSettled(holds: bigint): boolean;
}

/** What speaks against any number of lists: somebody looked at the name, or its form says what it is. */
const OUTWEIGHS_LISTS: readonly Category[] = ['known', 'mistyped'];
/** Independent lists that outweigh popularity and age. */
const SEVERAL = 2;

export function createDisputeRules(sources: readonly Witness[]): DisputeRules {
  const listings = maskOf(sources, ({ says }) => says === 'disposable');
  const ours = maskOf(sources, ({ says, origin }) => says === 'disposable' && origin.startsWith(OWN_ORIGIN));
  const known = maskOf(sources, ({ says }) => says === 'known');
  const contradictions = maskOf(sources, ({ says }) => OUTWEIGHS_LISTS.includes(says));
  const popular = maskOf(sources, ({ says }) => says === 'popular');
  const families = familiesOf(sources);

  const isSettled = (holds: bigint): boolean =>
    (holds & ours) !== 0n || families.filter((family) => (holds & family) !== 0n).length >= SEVERAL;

  return {
    isSettled,
    isDisputed(holds, above, shared) {
      if ((holds & listings) === 0n || (holds & ours) !== 0n) return false;
      if (shared || (holds & contradictions) !== 0n || (above & known) !== 0n) return true;
      return (holds & popular) !== 0n && !isSettled(holds);
    },
  };
}

/** One mask for each independent list. What only collects the lists of others is no witness beside them. */
function familiesOf(sources: readonly Witness[]): bigint[] {
  const lists = sources.filter(({ says, collection }) => says === 'disposable' && collection !== true);
  const names = new Set(lists.map(({ id, family }) => family ?? id));
  return [...names].map((name) =>
    maskOf(sources, (source) => lists.includes(source) && (source.family ?? source.id) === name),
  );
}
