/** Decides how listings on independent blocklists come to one abuse score. */

/**
 * Each list is independent evidence: 100 × (1 − Π(1 − weight / 100)), unrounded. More lists or heavier ones
 * never score less.
 */
export function abuseScore(weights: Iterable<number>): number {
  let clean = 1;
  for (const weight of weights) clean *= 1 - weight / 100;
  return 100 * (1 - clean);
}
