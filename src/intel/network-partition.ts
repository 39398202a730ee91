/** Decides what is claimed about every address when labelled ranges overlap: one partition of the whole space into disjoint pieces. */
import { type Partition, PieceWriter } from './network-piece-writer.ts';
import { compareWords, type RangeList } from './network-range-list.ts';

/**
 * Sweeps over the ranges in any order. `resolve` gets the labels of the ranges over a stretch, the least
 * specific first: by start, then by end, then in the order they were added; the array is reused between calls.
 * Neighbours of one value become one piece; a stretch under no range has value 0.
 */
export function flatten(ranges: RangeList, resolve: (labels: readonly number[]) => number): Partition {
  ranges.sort();
  const { count, width, starts, ends, labels } = ranges;
  // Each range opens at most one piece at its start and one after its end.
  const pieces = new PieceWriter(width, count * 2 + 1);
  const active: number[] = [];
  const activeLabels: number[] = [];
  const boundary = new Uint32Array(width);
  let next = 0;
  pieces.append(boundary, 0);

  while (next < count || active.length > 0) {
    const ending = earliestEnd(active, ends, width);
    const starting = next < count ? next : -1;
    if (ending < 0 || (starting >= 0 && isBefore(starts, starting, ends, ending, width))) {
      boundary.set(starts.subarray(starting * width, starting * width + width));
    } else {
      boundary.set(ends.subarray(ending * width, ending * width + width));
      removeEnding(active, ends, boundary, width);
      if (!increment(boundary)) break;
    }
    while (next < count && compareWords(starts, next * width, boundary, 0, width) === 0) {
      active.push(next);
      next += 1;
    }
    activeLabels.length = 0;
    for (const range of active) activeLabels.push(labels[range] as number);
    pieces.append(boundary, activeLabels.length === 0 ? 0 : resolve(activeLabels));
  }
  return pieces.finish();
}

/** The active range that ends first, or −1. Ranges rarely lie more than a handful deep. */
function earliestEnd(active: readonly number[], ends: Uint32Array, width: number): number {
  let earliest = -1;
  for (const range of active) {
    if (earliest < 0 || compareWords(ends, range * width, ends, earliest * width, width) < 0)
      earliest = range;
  }
  return earliest;
}

/** Whether a range starts at or before the last address of another. */
function isBefore(
  starts: Uint32Array,
  starting: number,
  ends: Uint32Array,
  ending: number,
  width: number,
): boolean {
  return compareWords(starts, starting * width, ends, ending * width, width) <= 0;
}

function removeEnding(active: number[], ends: Uint32Array, end: Uint32Array, width: number): void {
  let kept = 0;
  for (const range of active) {
    if (compareWords(ends, range * width, end, 0, width) === 0) continue;
    active[kept] = range;
    kept += 1;
  }
  active.length = kept;
}

/** The address after; `false` past the last one. */
function increment(words: Uint32Array): boolean {
  for (let word = words.length - 1; word >= 0; word -= 1) {
    words[word] = ((words[word] as number) + 1) >>> 0;
    if (words[word] !== 0) return true;
  }
  return false;
}
