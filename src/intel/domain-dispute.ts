/** Decides whether a listing as disposable is disputed: reasons against it, the form of the name among them, that the lists do not outweigh. */
import type { Category, SourceInfo } from '../model/source.ts';
import { maskOf } from './claim-resolver.ts';
import { parentsOf } from './domain-name.ts';
import type { SnapshotContent } from './snapshot-content.ts';
import { OWN_ORIGIN } from './sources.ts';
import { createTypingMistakes } from './typing-mistake.ts';

type Witness = Pick<SourceInfo, 'id' | 'category' | 'origin' | 'family' | 'collection'>;

export interface DisputeRules {
  /**
   * @param effective the effective claims about a name (a mask of sources)
   * @param above those that are effective for the names below its nearest listed parent
   * @param shared strangers get names under it, and lists that contain it mean those names
   */
  isDisputed(effective: bigint, above: bigint, shared: boolean): boolean;
  /** Whether our own list or enough independent lists call it disposable: popularity and age do not outweigh these. */
  isSettled(effective: bigint): boolean;
}

/** Categories that outweigh any number of lists: somebody looked at the name, or its form shows what it is. */
const OUTWEIGHS_LISTS: readonly Category[] = ['known', 'mistyped'];
/** Independent lists that outweigh popularity and age. */
const SEVERAL = 2;

export function createDisputeRules(sources: readonly Witness[]): DisputeRules {
  const listings = maskOf(sources, ({ category }) => category === 'disposable');
  const ours = maskOf(
    sources,
    ({ category, origin }) => category === 'disposable' && origin.startsWith(OWN_ORIGIN),
  );
  const known = maskOf(sources, ({ category }) => category === 'known');
  const contradictions = maskOf(sources, ({ category }) => OUTWEIGHS_LISTS.includes(category));
  const popular = maskOf(sources, ({ category }) => category === 'popular');
  const families = familiesOf(sources);

  const isSettled = (effective: bigint): boolean =>
    (effective & ours) !== 0n || families.filter((family) => (effective & family) !== 0n).length >= SEVERAL;

  return {
    isSettled,
    isDisputed(effective, above, shared) {
      if ((effective & listings) === 0n || (effective & ours) !== 0n) return false;
      if (shared || (effective & contradictions) !== 0n || (above & known) !== 0n) return true;
      return (effective & popular) !== 0n && !isSettled(effective);
    },
  };
}

/** One mask for each independent list. A collection of other lists is not independent of them. */
function familiesOf(sources: readonly Witness[]): bigint[] {
  const lists = sources.filter(
    ({ category, collection }) => category === 'disposable' && collection !== true,
  );
  const names = new Set(lists.map(({ id, family }) => family ?? id));
  return [...names].map((name) =>
    maskOf(sources, (source) => lists.includes(source) && (source.family ?? source.id) === name),
  );
}

/** Adds what the form of a name says against its listing as disposable: below an institution's suffix, or a provider mistyped. */
export function withNameClaims({ sources, domains, institutions }: DomainListings): Map<string, bigint> {
  const listings = maskOf(sources, ({ category }) => category === 'disposable');
  const wordLists = (wanted: Category) =>
    maskOf(sources, ({ category, entryKind }) => category === wanted && entryKind === 'word');
  const institution = wordLists('known');
  const mistyped = wordLists('mistyped');
  const { slipOf } = createTypingMistakes();
  const claims = new Map(domains);
  for (const [name, mask] of domains) {
    if ((mask & listings) === 0n) continue;
    if ([...parentsOf(name)].some((parent) => institutions.has(parent))) claims.set(name, mask | institution);
    else if (mistyped !== 0n && slipOf(name, true) !== '') claims.set(name, mask | mistyped);
  }
  return claims;
}

export type DomainListings = Pick<
  SnapshotContent,
  'sources' | 'domains' | 'wildcards' | 'institutions' | 'isShared'
>;
