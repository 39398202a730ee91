/** Decides what a snapshot says of each listed domain, once every claim about it and its parents is known. */

import type { ClaimResolver } from '../claim-resolver.ts';
import type { DisputeRules } from './dispute.ts';

export interface SettledDomain {
  readonly name: string;
  /** Every source that lists the name. */
  readonly claims: bigint;
  /** The claims among them that hold; none when the name does not speak, and its parent decides. */
  readonly holds: bigint;
  /** The claims that hold for the names below it: the same, or few of them where strangers share the name. */
  readonly below: bigint;
  /** Strangers get names under it. */
  readonly shared: boolean;
  /** It is called disposable, and what speaks against that is not outweighed. */
  readonly disputed: boolean;
}

export interface DomainClaimsToSettle {
  /** Canonical name → the sources that list it. */
  readonly domains: ReadonlyMap<string, bigint>;
  /** The sources among them that mean the names below as well. */
  readonly wildcards: ReadonlyMap<string, bigint>;
  readonly truth: ClaimResolver;
  readonly dispute: Pick<DisputeRules, 'isDisputed'>;
  readonly isShared: (name: string) => boolean;
}

/**
 * Sorted by name. A name whose claims are all silenced stays listed, but does not speak, so that its parent
 * decides about it (`x.mailexpire.com` is no provider when `mailexpire.com` is disposable).
 */
export function settleDomains({
  domains,
  wildcards,
  truth,
  dispute,
  isShared,
}: DomainClaimsToSettle): SettledDomain[] {
  const settled = new Map<string, SettledDomain>();
  const settle = remembering(truth);
  for (const [name, claims] of parentsFirst(domains)) {
    const above = speakingParent(name, settled)?.below ?? 0n;
    const holds = settle(claims, above);
    const shared = isShared(name);
    const below = shared ? settle(wildcards.get(name) ?? 0n, above) : holds;
    const disputed = dispute.isDisputed(holds, above, shared);
    settled.set(name, { name, claims, holds, below, shared, disputed });
  }
  return [...settled.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The same few combinations come again and again. */
function remembering({ settle }: ClaimResolver): (claims: bigint, above: bigint) => bigint {
  const known = new Map<bigint, Map<bigint, bigint>>();
  return (claims, above) => {
    let among = known.get(above);
    if (among === undefined) {
      among = new Map();
      known.set(above, among);
    }
    let holds = among.get(claims);
    if (holds === undefined) {
      holds = settle(claims, above);
      among.set(claims, holds);
    }
    return holds;
  };
}

function speakingParent(
  name: string,
  settled: ReadonlyMap<string, SettledDomain>,
): SettledDomain | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const entry = settled.get(name.slice(dot + 1));
    if (entry !== undefined && entry.below !== 0n) return entry;
  }
  return undefined;
}

/** By number of labels. */
function parentsFirst(claims: ReadonlyMap<string, bigint>): [name: string, mask: bigint][] {
  const byLabels: [string, bigint][][] = [];
  for (const claim of claims) {
    const labels = claim[0].split('.').length;
    byLabels[labels] ??= [];
    byLabels[labels].push(claim);
  }
  return byLabels.flat();
}
