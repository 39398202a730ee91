/** Reads numbers of a run's sections, and finds values in sorted ones. */
import type { RunFile } from './run-file.ts';
import type { WideNumber } from './run-record.ts';
import { POSTINGS, type PostingKind } from './run-segment.ts';

export interface NumbersType<Numbers> {
  new (buffer: ArrayBuffer): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

/** The numbers of a section from one index up to, without, another. */
export function readNumbers<Numbers>(
  file: RunFile,
  section: string,
  type: NumbersType<Numbers>,
  start: number,
  end: number,
): Numbers {
  const bytes = type.BYTES_PER_ELEMENT;
  return new type(file.read(section, start * bytes, (end - start) * bytes));
}

export function countNumbers(file: RunFile, section: string, type: NumbersType<unknown>): number {
  return file.bytesOf(section) / type.BYTES_PER_ELEMENT;
}

/** The first index of `count` at which `isFrom` holds: it holds at all indices after one at which it does. */
export function firstIndex(count: number, isFrom: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isFrom(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compareWide([high, low]: WideNumber, [otherHigh, otherLow]: WideNumber): number {
  return high - otherHigh || low - otherLow;
}

/** The entries of a posting list whose values are from `first` to `last`, both inclusive. */
export function postingBounds(
  file: RunFile,
  kind: PostingKind,
  first: WideNumber,
  last: WideNumber,
): [start: number, end: number] {
  const types = POSTINGS[kind];
  const [high, low] = [`${kind}.high`, `${kind}.low`];
  const count = countNumbers(file, high, types.high);
  const valueAt = (index: number): WideNumber => [
    file.numberAt(high, types.high.BYTES_PER_ELEMENT, index),
    types.low === null ? 0 : file.numberAt(low, types.low.BYTES_PER_ELEMENT, index),
  ];
  const start = firstIndex(count, (index) => compareWide(valueAt(index), first) >= 0);
  return [start, firstIndex(count, (index) => compareWide(valueAt(index), last) > 0)];
}
