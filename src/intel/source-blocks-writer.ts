/** Decides how each source's own blocks are written to a snapshot (see `source-blocks.ts`). */
import { bucketOf, firstRows } from './network-buckets.ts';
import type { NetworkClaims } from './network-claims.ts';
import type { Section } from './snapshot-container.ts';
import { type BlockRows, BUCKET_BITS, BUCKETS, FAMILIES } from './source-blocks.ts';
import { RowWriter } from './source-rows-writer.ts';

/** The blocks of each source that lists any, by its place. @throws when a listed range is not a block */
export function collectSourceBlocks(networks: NetworkClaims, sourceCount: number): BlockRows[] {
  const [v4, v6] = [networks.v4, networks.v6].map((ranges) => {
    ranges.sort();
    const writers = Array.from({ length: sourceCount }, () => new RowWriter(ranges));
    for (let range = 0; range < ranges.count; range += 1) {
      const { source, departed = false } = networks.labels[ranges.labels[range] as number] ?? {};
      if (source !== undefined) (writers[source] as RowWriter).append(range, departed);
    }
    return writers.map((writer) => writer.finish());
  }) as [Uint32Array[], Uint32Array[]];
  return v4.map((rows, source) => ({ v4: rows, v6: v6[source] as Uint32Array }));
}

export function encodeSourceBlocks(lists: readonly BlockRows[]): Record<string, Section> {
  const tables: Record<string, Section> = {};
  for (const [family, width] of FAMILIES) {
    const size = width + 1;
    const rows = new Uint32Array(lists.reduce((sum, list) => sum + list[family].length, 0));
    const buckets = new Uint32Array(rows.length / size);
    let next = 0;
    for (const [source, list] of lists.entries()) {
      rows.set(list[family], next * size);
      for (let at = 0; at < list[family].length; at += size) {
        buckets[next] = source * BUCKETS + bucketOf(list[family][at] as number, width, BUCKET_BITS);
        next += 1;
      }
    }
    tables[`entry.${family}.rows`] = rows;
    tables[`entry.${family}.firsts`] = firstRows(buckets, lists.length * BUCKETS);
  }
  return tables;
}
