/** Buckets that latencies are counted in, and what is read from the counts: whole milliseconds at first, then 16 for each doubling. */

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

export interface LatencyCount {
  /** Of the bucket. */
  readonly lowest: number;
  readonly count: number;
}

/** Of latencies in order: the smallest latency that this share of all does not exceed; between the ends of a wide bucket, by its place in it. */
export function quantile(latencies: readonly LatencyCount[], share: number): number | null {
  const total = latencies.reduce((sum, { count }) => sum + count, 0);
  const rank = Math.ceil(share * total);
  let before = 0;
  for (const { lowest, count } of latencies) {
    if (before + count >= rank) {
      return lowest + Math.floor(((bucketWidth(lowest) - 1) * (rank - before)) / count);
    }
    before += count;
  }
  return null;
}
