/** Buckets that latencies are counted in: whole milliseconds at first, then 16 for each doubling. */

const EXACT_BELOW_MS = 64;
const A_DOUBLING = 16;

/** The smallest latency of the bucket that a latency falls into, whole milliseconds. */
export function latencyBucket(milliseconds: number): number {
  if (milliseconds < EXACT_BELOW_MS) return milliseconds;
  const width = 2 ** Math.floor(Math.log2(milliseconds)) / A_DOUBLING;
  return Math.floor(milliseconds / width) * width;
}

/** How many whole milliseconds fall into the bucket that begins at `lowest`. */
export function bucketWidth(lowest: number): number {
  return lowest < EXACT_BELOW_MS ? 1 : 2 ** Math.floor(Math.log2(lowest)) / A_DOUBLING;
}
