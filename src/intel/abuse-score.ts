/** Decides how much each listing on a blocklist weighs, how it fades once it is gone, and how listings make one abuse score. */

/**
 * Each list is independent evidence: 100 × (1 − Π(1 − weight / 100)), unrounded. More lists or heavier ones
 * never score less.
 */
export function abuseScore(weights: Iterable<number>): number {
  let clean = 1;
  for (const weight of weights) clean *= 1 - weight / 100;
  return 100 * (1 - clean);
}

const DAY_MS = 86_400_000;
/** An address that left a list changes hands within days: half its weight is gone after three, all after 14. */
const HALF_LIFE_MS = 3 * DAY_MS;
export const FORGOTTEN_AFTER_MS = 14 * DAY_MS;

/** A collection of lists has one publisher, so some doubt remains even if many of its lists agree. */
const MAX_COUNTED_SHARE = 90;

/** 0 … 100. @param lists how many lists one listing represents: it adds as much as that many listings */
export function listingWeight(abuseWeight: number, lists = 1): number {
  if (lists <= 1) return abuseWeight;
  const together = 100 * (1 - (1 - abuseWeight / 100) ** lists);
  return Math.max(abuseWeight, Math.min(MAX_COUNTED_SHARE, together));
}

/** The rest of a weight `ageMs` after the entry was last listed; in whole points, so that a snapshot seldom changes. */
export function fadedWeight(weight: number, ageMs: number): number {
  if (ageMs >= FORGOTTEN_AFTER_MS) return 0;
  return Math.round(weight * 2 ** (-Math.max(0, ageMs) / HALF_LIFE_MS));
}
