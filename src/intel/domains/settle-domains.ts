/** Decides what a snapshot says of each listed domain, once every claim about it and its parents is known. */
import type { Truth } from '../truth.ts';

export interface SettledDomain {
  readonly name: string;
  /** Every source that lists the name. */
  readonly claims: bigint;
  /** The claims among them that hold; none when the name does not speak, and its parent decides. */
  readonly holds: bigint;
  /** Speaks of the name alone, not of the names below it. */
  readonly exact: boolean;
}

/**
 * Sorted by name. A name whose claims are all silenced stays listed, but does not speak, so that its parent
 * decides about it (`x.mailexpire.com` is no provider when `mailexpire.com` is disposable).
 */
export function settleDomains(
  claims: ReadonlyMap<string, bigint>,
  truth: Truth,
  isShared: (name: string) => boolean,
): SettledDomain[] {
  const settled = new Map<string, SettledDomain>();
  const parentsFirst = [...claims.keys()].map((name) => ({ name, labels: labelCount(name) }));
  parentsFirst.sort((a, b) => a.labels - b.labels);
  for (const { name } of parentsFirst) {
    const mask = claims.get(name) as bigint;
    const holds = truth.settle(mask, speakingParent(name, settled)?.holds);
    settled.set(name, { name, claims: mask, holds, exact: isShared(name) });
  }
  return [...settled.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function speakingParent(
  name: string,
  settled: ReadonlyMap<string, SettledDomain>,
): SettledDomain | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const entry = settled.get(name.slice(dot + 1));
    if (entry !== undefined && entry.holds !== 0n && !entry.exact) return entry;
  }
  return undefined;
}

function labelCount(name: string): number {
  let count = 1;
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) count += 1;
  return count;
}
