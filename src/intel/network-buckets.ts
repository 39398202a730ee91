/** Decides how rows in the order of addresses are searched: one bucket of the leading bits, then a binary search in it. */

/** The addresses of IPv6 that are handed out: 2000::/3. */
const UNICAST = { first: 0x20000000, bits: 3 };

/**
 * The bucket of an address by its first word. IPv4 is handed out evenly enough. IPv6 is handed out from 2000::/3 only:
 * the buckets divide that eighth, and what is before or behind it shares the first or last bucket.
 */
export function bucketOf(word: number, width: number, bucketBits: number): number {
  if (width === 1) return word >>> (32 - bucketBits);
  if (word < UNICAST.first) return 0;
  return Math.min((1 << bucketBits) - 1, (word - UNICAST.first) >>> (32 - UNICAST.bits - bucketBits));
}

/** First row of each bucket, or the first one after it. @param buckets the bucket of each row, in order */
export function firstRows(buckets: Uint32Array, bucketCount: number): Uint32Array {
  const firsts = new Uint32Array(bucketCount + 1);
  let filled = 0;
  for (const [row, bucket] of buckets.entries()) {
    if (filled > bucket) continue;
    firsts.fill(row, filled, bucket + 1);
    filled = bucket + 1;
  }
  return firsts.fill(buckets.length, filled);
}

/**
 * The last row after `low`, up to `high`, that starts at or before an address; `low` when there is none. A row is the
 * words of its start, then one more.
 */
export function lastAtOrBefore(
  rows: Uint32Array,
  words: readonly number[],
  low: number,
  high: number,
): number {
  const width = words.length;
  const leading = words[0] as number;
  let first = low;
  let last = high;
  while (first < last) {
    const middle = (first + last + 1) >> 1;
    const at = middle * (width + 1);
    let order = (rows[at] as number) - leading;
    for (let word = 1; order === 0 && word < width; word += 1) {
      order = (rows[at + word] as number) - (words[word] as number);
    }
    if (order <= 0) first = middle;
    else last = middle - 1;
  }
  return first;
}
