/** Decides what a letter after two others costs in a family of languages, from how often it was counted there. */

/** Letters a to z as 1 to 26, and the edge of a word as 0. */
export const SYMBOLS = 27;
/** Parts of a nat (natural logarithm of a probability) in which a cost is stored. */
export const COST_STEPS = 16;
/** Marks for each doubling of a count. */
const MARK_STEPS = 4;

/** A count in one byte, within 9 %. */
export function markOf(count: number): number {
  return Math.round(Math.log2(1 + count) * MARK_STEPS);
}

/** Costs of all families, those of one sequence side by side. */
export function letterCosts(families: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(families.length * SYMBOLS ** 3);
  for (const [k, marks] of families.entries()) {
    const costs = costsOf(Float64Array.from(marks, (mark) => 2 ** (mark / MARK_STEPS) - 1));
    for (let i = 0; i < costs.length; i++) all[i * families.length + k] = costs[i] as number;
  }
  return all;
}

/** Rare contexts lean on shorter ones, the more the fewer kinds of letters were seen after them (Witten and Bell). */
function costsOf(three: Float64Array): Uint8Array {
  const two = withoutFirst(three);
  const one = withoutFirst(two);
  const none = new Float64Array(SYMBOLS).fill(1 / SYMBOLS);
  const shares = lean(three, lean(two, lean(one, none)));
  return Uint8Array.from(shares, (share) => Math.min(255, Math.round(-Math.log(share) * COST_STEPS)));
}

/** Counts of the sequences without their first letter. */
function withoutFirst(counts: Float64Array): Float64Array {
  const shorter = new Float64Array(counts.length / SYMBOLS);
  for (const [i, count] of counts.entries())
    shorter[i % shorter.length] = (shorter[i % shorter.length] as number) + count;
  return shorter;
}

function lean(counts: Float64Array, shorter: Float64Array): Float64Array {
  const shares = new Float64Array(counts.length);
  for (let start = 0; start < counts.length; start += SYMBOLS) {
    let total = 0;
    let kinds = 0;
    for (let i = start; i < start + SYMBOLS; i++) {
      total += counts[i] as number;
      if (counts[i] !== 0) kinds++;
    }
    const weight = Math.max(1, kinds);
    for (let i = start; i < start + SYMBOLS; i++)
      shares[i] =
        ((counts[i] as number) + weight * (shorter[i % shorter.length] as number)) / (total + weight);
  }
  return shares;
}
