/** Sorts up to 65,536 numbers without comparing them: a pass for each 16 bits. */
const DIGITS = 65_536;

/**
 * Returns the indices of values in their order; equal ones stay in the order of their indices. `low` decides among
 * equal `high`. Pauses after each pass.
 */
export function* sortIndices(high: Uint32Array, low: Uint32Array | null): Generator<'pause', Uint16Array> {
  let indices = new Uint16Array(high.length);
  for (let index = 0; index < indices.length; index += 1) indices[index] = index;
  for (const values of low === null ? [high] : [low, high])
    for (const shift of [0, 16]) {
      indices = sortByDigit(indices, values, shift);
      yield 'pause';
    }
  return indices;
}

function sortByDigit(
  indices: Uint16Array<ArrayBuffer>,
  values: Uint32Array,
  shift: number,
): Uint16Array<ArrayBuffer> {
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
