/** Decides where the rows of a long table are, of which only some are in the page: measured rows exactly, the others by their mean. */

export interface RowHeights {
  /** Pixels from the top of the first row; of a row that was not measured, as if it had the mean height. */
  offsetOf(index: number): number;
  /** The row at so many pixels from the top of the first. */
  indexAt(offset: number): number;
  /** @returns whether anything moves */
  measure(index: number, height: number): boolean;
}

/** @param usual height of a row, until one was measured */
export function createRowHeights(usual: number): RowHeights {
  const measured: (number | undefined)[] = [];
  /** Sums up to each measured row, made again when one has changed. */
  let sums: { heights: number[]; counts: number[] } | undefined;
  let [total, count] = [0, 0];
  const mean = () => (count === 0 ? usual : total / count);

  function sumUp() {
    const heights = [0];
    const counts = [0];
    for (const [index, height] of measured.entries()) {
      heights.push((heights[index] as number) + (height ?? 0));
      counts.push((counts[index] as number) + (height === undefined ? 0 : 1));
    }
    return { heights, counts };
  }

  function offsetOf(index: number): number {
    sums ??= sumUp();
    const known = Math.min(index, measured.length);
    return (sums.heights[known] as number) + mean() * (index - (sums.counts[known] as number));
  }

  return {
    offsetOf,
    indexAt(offset) {
      let [low, high] = [0, Math.max(measured.length, Math.ceil(Math.max(0, offset) / mean())) + 1];
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if (offsetOf(middle) <= offset) low = middle;
        else high = middle;
      }
      return low;
    },
    measure(index, height) {
      const before = measured[index];
      if (before === height || height === 0) return false;
      while (measured.length < index) measured.push(undefined);
      measured[index] = height;
      total += height - (before ?? 0);
      if (before === undefined) count += 1;
      sums = undefined;
      return true;
    },
  };
}
