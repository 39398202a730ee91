/** Decides what a snapshot says of each listed domain, once every claim about it and its parents is known. */
import { withParents } from '../../address/domain.ts';
import type { Truth } from '../truth.ts';

export interface SettledDomain {
  readonly name: string;
  /** Every source that lists the name. */
  readonly claims: bigint;
  /** The claims among them that hold. */
  readonly holds: bigint;
  /** Speaks of the name alone, not of the names below it. */
  readonly exact: boolean;
}

/**
 * Sorted by name. A name whose claims are all silenced is left out, so that its parent decides about it
 * (`x.mailexpire.com` is no provider when `mailexpire.com` is disposable).
 */
export function settleDomains(
  claims: ReadonlyMap<string, bigint>,
  truth: Truth,
  isShared: (name: string) => boolean,
): SettledDomain[] {
  const settled = new Map<string, SettledDomain>();
  const parentsFirst = [...claims].sort(([a], [b]) => labelCount(a) - labelCount(b));
  for (const [name, mask] of parentsFirst) {
    const holds = truth.settle(mask, listedParent(name, settled)?.holds);
    if (holds !== 0n) settled.set(name, { name, claims: mask, holds, exact: isShared(name) });
  }
  return [...settled.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listedParent(name: string, settled: ReadonlyMap<string, SettledDomain>): SettledDomain | undefined {
  for (const parent of withParents(name)) {
    const entry = settled.get(parent);
    if (entry !== undefined && parent !== name && !entry.exact) return entry;
  }
  return undefined;
}

function labelCount(name: string): number {
  let count = 1;
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) count += 1;
  return count;
}
