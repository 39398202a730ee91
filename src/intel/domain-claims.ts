/** Decides which claims about each listed domain are effective, once all claims about it and its parents are known. */
import { type ClaimResolver, createClaimResolver } from './claim-resolver.ts';
import { createDisputeRules, type DomainListings, withNameClaims } from './domain-dispute.ts';
import { parentsOf } from './domain-name.ts';

export interface SettledDomain {
  readonly name: string;
  /** Every source that lists the name. */
  readonly claims: bigint;
  /** The claims among them that no other claim overrides; none when the name's parent decides about it. */
  readonly effective: bigint;
  /** The claims that are effective for the names below it: the same, or fewer if strangers share the name. */
  readonly below: bigint;
  /** Strangers get names under it. */
  readonly shared: boolean;
  /** Lists call it disposable, but there are stronger reasons against that. */
  readonly disputed: boolean;
}

/**
 * Sorted by name. If all claims about a name are overridden, it stays listed, but its parent decides about it
 * (`x.mailexpire.com` is not a provider when `mailexpire.com` is disposable).
 */
export function settleDomains(knowledge: DomainListings): SettledDomain[] {
  const { sources, wildcards, isShared } = knowledge;
  const { isDisputed } = createDisputeRules(sources);
  const resolve = memoize(createClaimResolver(sources));
  const settled = new Map<string, SettledDomain>();
  for (const [name, claims] of parentsFirst(withNameClaims(knowledge))) {
    const above = decidingParent(name, settled)?.below ?? 0n;
    const effective = resolve(claims, above);
    const shared = isShared(name);
    const below = shared ? resolve(wildcards.get(name) ?? 0n, above) : effective;
    const disputed = isDisputed(effective, above, shared);
    settled.set(name, { name, claims, effective, below, shared, disputed });
  }
  return [...settled.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Remembers settled claims, because the same few combinations occur again and again. */
function memoize({ resolve }: ClaimResolver): (claims: bigint, above: bigint) => bigint {
  const memo = new Map<bigint, Map<bigint, bigint>>();
  return (claims, above) => {
    let among = memo.get(above);
    if (among === undefined) {
      among = new Map();
      memo.set(above, among);
    }
    let effective = among.get(claims);
    if (effective === undefined) {
      effective = resolve(claims, above);
      among.set(claims, effective);
    }
    return effective;
  };
}

function decidingParent(
  name: string,
  settled: ReadonlyMap<string, SettledDomain>,
): SettledDomain | undefined {
  for (const parent of parentsOf(name)) {
    const entry = settled.get(parent);
    if (entry !== undefined && entry.below !== 0n) return entry;
  }
  return undefined;
}

/** Names by number of labels. */
function parentsFirst(claims: ReadonlyMap<string, bigint>): [name: string, mask: bigint][] {
  const byLabels: [string, bigint][][] = [];
  for (const claim of claims) {
    const labels = claim[0].split('.').length;
    byLabels[labels] ??= [];
    byLabels[labels].push(claim);
  }
  return byLabels.flat();
}
