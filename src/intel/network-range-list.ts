/** Decides how labelled address ranges are stored while a snapshot is compiled: flat columns, not one object a range. */
import { hostMask } from '../address/block.ts';
import { readWords, type Width } from './network-address-words.ts';

const PACKED_PLACES = 2 ** 21;

/** First and last address are inclusive; the words of a range start at `index * width`. */
export class RangeList {
  readonly width: Width;
  starts: Uint32Array;
  ends: Uint32Array;
  labels: Uint32Array;
  count = 0;
  private sorted = true;

  constructor(width: Width, capacity = 1024) {
    this.width = width;
    this.starts = new Uint32Array(capacity * width);
    this.ends = new Uint32Array(capacity * width);
    this.labels = new Uint32Array(capacity);
  }

  /** Returns `false` and adds nothing when an address is malformed or the range runs backwards. */
  push(first: string, last: string, label: number): boolean {
    if (this.count === this.labels.length) this.grow();
    const at = this.count * this.width;
    if (!readWords(first, this.width, this.starts, at)) return false;
    if (!readWords(last, this.width, this.ends, at)) return false;
    if (compareWords(this.starts, at, this.ends, at, this.width) > 0) return false;
    this.labels[this.count] = label;
    this.count += 1;
    this.sorted = false;
    return true;
  }

  /** `192.0.2.0/24` or a single address; host bits must be zero. */
  pushBlock(block: string, label: number): boolean {
    const [base = '', prefix = String(this.width * 32)] = block.split('/');
    const bits = Number(prefix);
    if (!/^\d{1,3}$/.test(prefix) || bits > this.width * 32) return false;
    if (!this.push(base, base, label)) return false;
    const at = (this.count - 1) * this.width;
    for (let word = 0; word < this.width; word += 1) {
      const host = hostMask(bits - word * 32);
      if (((this.starts[at + word] as number) & host) !== 0) {
        this.count -= 1;
        return false;
      }
      this.ends[at + word] = (this.ends[at + word] as number) | host;
    }
    return true;
  }

  /** The least specific first: by start, then the one that ends later, then as they were added. */
  sort(): void {
    if (this.sorted) return;
    const { width, starts, ends, labels } = this;
    const order = orderOf(this, (a, b) => {
      const byStart = compareWords(starts, a * width, starts, b * width, width);
      return byStart || compareWords(ends, b * width, ends, a * width, width) || a - b;
    });
    this.starts = pick(starts, order, width);
    this.ends = pick(ends, order, width);
    this.labels = pick(labels, order, 1);
    this.sorted = true;
  }

  private grow(): void {
    const capacity = Math.max(1024, this.labels.length * 2);
    this.starts = widen(this.starts, capacity * this.width);
    this.ends = widen(this.ends, capacity * this.width);
    this.labels = widen(this.labels, capacity);
  }
}

/** Negative, zero or positive, as two addresses of one width compare. */
export function compareWords(
  a: Uint32Array,
  aAt: number,
  b: Uint32Array,
  bAt: number,
  width: number,
): number {
  for (let word = 0; word < width; word += 1) {
    const difference = (a[aAt + word] as number) - (b[bAt + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The ranges by first word, then by `compare` within those that share it. Numbers sort many times faster than
 * through a comparison, so word and place are packed into one: 32 and 21 bits.
 */
function orderOf(
  { count, width, starts }: RangeList,
  compare: (a: number, b: number) => number,
): Uint32Array {
  if (count > PACKED_PLACES) return Uint32Array.from({ length: count }, (_, place) => place).sort(compare);
  const packed = new Float64Array(count);
  for (let place = 0; place < count; place += 1) {
    packed[place] = (starts[place * width] as number) * PACKED_PLACES + place;
  }
  packed.sort();
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[at] = (packed[at] as number) % PACKED_PLACES;
  let from = 0;
  for (let at = 1; at <= count; at += 1) {
    const same =
      at < count && starts[(order[at] as number) * width] === starts[(order[from] as number) * width];
    if (same) continue;
    if (at - from > 1) order.subarray(from, at).sort(compare);
    from = at;
  }
  return order;
}

/** The rows of a column in another order. */
function pick(column: Uint32Array, order: Uint32Array, width: number): Uint32Array {
  const picked = new Uint32Array(order.length * width);
  for (let to = 0; to < order.length; to += 1) {
    const from = (order[to] as number) * width;
    for (let word = 0; word < width; word += 1) picked[to * width + word] = column[from + word] as number;
  }
  return picked;
}

function widen(column: Uint32Array, length: number): Uint32Array {
  const wider = new Uint32Array(length);
  wider.set(column);
  return wider;
}
