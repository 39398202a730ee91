/** Decides what a letter after two others costs in a family of languages, from how often it was counted there. */

/** Letters a to z as 1 to 26, and the edge of a word as 0. */
export const SYMBOLS = 27;
/** Parts of a nat (natural logarithm of a probability) in which a cost is stored. */
const COST_STEPS = 16;
/** Marks for each doubling of a count. */
const MARK_STEPS = 4;

/** A count in one byte, within 9 %. */
export function markOf(count: number): number {
  return Math.round(Math.log2(1 + count) * MARK_STEPS);
}

/**
 * Cost of a word in the family that fits best, in nats. Letters are codes from 1 to 26; their number is at most `MAX_WORD_LETTERS`.
 * `isMixed`: the word has digits between its letters, so the last two families, habits of abbreviating, are left out.
 */
export type CostOf = (codes: Uint8Array, length: number, isMixed: boolean) => number;

/** Sum of the costs of as many letters has at most 15 bits. */
export const MAX_WORD_LETTERS = 64;

/** An even number of families: the costs of two are added at once, as halves of one number. */
export function createCostOf(families: readonly Uint8Array[]): CostOf {
  const pairs = families.length / 2;
  const costs = new Int32Array(pairs * SYMBOLS ** 3);
  for (const [k, marks] of families.entries()) {
    const half = k % 2 === 0 ? 0 : 16;
    for (const [i, cost] of costsOf(marks).entries()) {
      const at = i * pairs + (k >> 1);
      costs[at] = (costs[at] as number) | (cost << half);
    }
  }
  const totals = new Int32Array(pairs);
  return (codes, length, isMixed) => {
    const used = isMixed ? pairs - 1 : pairs;
    for (let k = 0; k < used; k++) totals[k] = 0;
    let context = 0;
    for (let i = 0; i <= length; i++) {
      const code = i < length ? (codes[i] as number) : 0;
      const at = (context * SYMBOLS + code) * pairs;
      for (let k = 0; k < used; k++) totals[k] = (totals[k] as number) + (costs[at + k] as number);
      context = (context % SYMBOLS) * SYMBOLS + code;
    }
    let best = 0xffff;
    for (let k = 0; k < used; k++) {
      const two = totals[k] as number;
      if ((two & 0xffff) < best) best = two & 0xffff;
      if (two >>> 16 < best) best = two >>> 16;
    }
    return best / COST_STEPS;
  };
}

/** Rare contexts lean on shorter ones, the more the fewer kinds of letters were seen after them (Witten and Bell). */
function costsOf(marks: Uint8Array): Uint8Array {
  const three = Float64Array.from(marks, (mark) => 2 ** (mark / MARK_STEPS) - 1);
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
