/** Decides what is said at every address when labelled ranges overlap: one disjoint partition of the whole space. */
import { compareWords, type RangeList } from './range-list.ts';

/** Piece `i` runs from its start to the start of the next; the first starts at address 0, the last has no end. */
export interface Partition {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/**
 * Sweeps over the ranges in any order. `resolve` gets the labels of the ranges over a stretch, the least
 * specific first: by start, then by end, then in the order they were added; the array is reused between calls.
 * Neighbours of one value become one piece; a stretch under no range has value 0.
 */
export function flatten(ranges: RangeList, resolve: (labels: readonly number[]) => number): Partition {
  const { width, starts, ends, labels } = ranges;
  const order = leastSpecificFirst(ranges);
  const pieces = new PieceWriter(width, ranges.count);
  const active: number[] = [];
  const activeLabels: number[] = [];
  const boundary = new Uint32Array(width);
  let next = 0;
  pieces.append(boundary, 0);

  while (next < order.length || active.length > 0) {
    const ending = earliestEnd(active, ends, width);
    const starting = next < order.length ? (order[next] as number) : -1;
    if (ending < 0 || (starting >= 0 && isBefore(starts, starting, ends, ending, width))) {
      boundary.set(starts.subarray(starting * width, starting * width + width));
    } else {
      boundary.set(ends.subarray(ending * width, ending * width + width));
      removeEnding(active, ends, boundary, width);
      if (!increment(boundary)) break;
    }
    while (
      next < order.length &&
      compareWords(starts, (order[next] as number) * width, boundary, 0, width) === 0
    ) {
      active.push(order[next] as number);
      next += 1;
    }
    activeLabels.length = 0;
    for (const range of active) activeLabels.push(labels[range] as number);
    pieces.append(boundary, activeLabels.length === 0 ? 0 : resolve(activeLabels));
  }
  return pieces.finish();
}

function leastSpecificFirst({ count, width, starts, ends }: RangeList): number[] {
  const order = Array.from({ length: count }, (_, range) => range);
  return order.sort(
    (a, b) =>
      compareWords(starts, a * width, starts, b * width, width) ||
      compareWords(ends, b * width, ends, a * width, width) ||
      a - b,
  );
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

class PieceWriter {
  private readonly starts: Uint32Array;
  private readonly values: Uint32Array;
  private readonly width: number;
  private count = 0;

  constructor(width: number, ranges: number) {
    this.width = width;
    // Each range opens at most one piece at its start and one after its end.
    this.starts = new Uint32Array((ranges * 2 + 1) * width);
    this.values = new Uint32Array(ranges * 2 + 1);
  }

  append(start: Uint32Array, value: number): void {
    const previous = this.count - 1;
    if (previous >= 0 && compareWords(this.starts, previous * this.width, start, 0, this.width) === 0) {
      this.count = previous;
    }
    if (this.count > 0 && this.values[this.count - 1] === value) return;
    this.starts.set(start, this.count * this.width);
    this.values[this.count] = value;
    this.count += 1;
  }

  finish(): Partition {
    return {
      starts: this.starts.slice(0, this.count * this.width),
      values: this.values.slice(0, this.count),
    };
  }
}
