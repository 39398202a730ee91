/** Combines the network data of feeds and baseline for every address, in one parallel walk over both. */
import { abuseScore } from './abuse-score.ts';
import type { AsnListing } from './feed-claims.ts';
import { type FlatNetworks, type NetworkValue, NOTHING } from './network-claims.ts';
import { type Partition, PieceWriter } from './network-piece-writer.ts';
import { compareWords } from './network-range-list.ts';

/** Country and AS come from the baseline; claims add up; a special range has no claims. */
export function overlayNetworks(
  base: FlatNetworks,
  feeds: FlatNetworks,
  asns: ReadonlyMap<number, AsnListing>,
): FlatNetworks {
  const asnScores = new Map([...asns].map(([asn, { weights }]) => [asn, abuseScore(weights.values())]));
  const combine = (below: NetworkValue, above: NetworkValue): NetworkValue => {
    const listing = asns.get(below.asn);
    if (above.claims === 0n && listing === undefined) return below;
    const scores = [below.abuse, above.abuse, asnScores.get(below.asn) ?? 0];
    const claims = below.claims | above.claims | (listing?.claims ?? 0n);
    return { ...below, claims, abuse: abuseScore(scores) };
  };

  // The values of the baseline keep their numbers; each other pair that occurs gets the next one.
  const values = base.values.map((below) => (below.special ? below : combine(below, NOTHING)));
  const pairs = new Map<number, number>();
  const joined = (below: number, above: number): number => {
    if (above === 0 || values[below]?.special) return below;
    const pair = below * feeds.values.length + above;
    let number = pairs.get(pair);
    if (number === undefined) {
      number =
        values.push(combine(base.values[below] as NetworkValue, feeds.values[above] as NetworkValue)) - 1;
      pairs.set(pair, number);
    }
    return number;
  };
  return { v4: merge(base.v4, feeds.v4, 1, joined), v6: merge(base.v6, feeds.v6, 4, joined), values };
}

function merge(
  below: Partition,
  above: Partition,
  width: 1 | 4,
  joined: (below: number, above: number) => number,
): Partition {
  const pieces = new PieceWriter(width, below.values.length + above.values.length);
  let a = 0;
  let b = 0;
  let start = below.starts.subarray(0, width);
  for (;;) {
    pieces.append(start, joined(below.values[a] as number, above.values[b] as number));
    const moreBelow = a + 1 < below.values.length;
    const moreAbove = b + 1 < above.values.length;
    if (!moreBelow && !moreAbove) return pieces.finish();
    const order =
      moreBelow && moreAbove
        ? compareWords(below.starts, (a + 1) * width, above.starts, (b + 1) * width, width)
        : moreBelow
          ? -1
          : 1;
    if (order <= 0) a += 1;
    if (order >= 0) b += 1;
    start =
      order <= 0
        ? below.starts.subarray(a * width, (a + 1) * width)
        : above.starts.subarray(b * width, (b + 1) * width);
  }
}
