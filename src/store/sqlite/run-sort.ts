/** Sorts up to 65,536 numbers without comparing them: a pass for each 16 bits. */
const DIGITS = 65_536;

/** Returns the indices of values in their order; equal ones stay in the order of their indices. `low` decides among equal `high`. */
export function sortedIndices(high: Uint32Array, low: Uint32Array | null): Uint16Array {
  let indices: Uint16Array = Uint16Array.from({ length: high.length }, (_, index) => index);
  for (const values of low === null ? [high] : [low, high])
    for (const shift of [0, 16]) indices = sortByDigit(indices, values, shift);
  return indices;
}

function sortByDigit(indices: Uint16Array, values: Uint32Array, shift: number): Uint16Array {
  const ends = new Uint32Array(DIGITS + 1);
  for (const index of indices) {
    const digit = ((values[index] as number) >>> shift) & 0xffff;
    ends[digit + 1] = (ends[digit + 1] as number) + 1;
  }
  // All the same, as the upper half of small numbers: nothing to do.
  if (ends.includes(indices.length)) return indices;
  for (let digit = 1; digit <= DIGITS; digit += 1)
    ends[digit] = (ends[digit] as number) + (ends[digit - 1] as number);
  const sorted = new Uint16Array(indices.length);
  for (const index of indices) {
    const digit = ((values[index] as number) >>> shift) & 0xffff;
    sorted[ends[digit] as number] = index;
    ends[digit] = (ends[digit] as number) + 1;
  }
  return sorted;
}
