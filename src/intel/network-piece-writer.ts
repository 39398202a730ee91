/** Decides how a partition of the address space is written: piece after piece, neighbours of one value as one. */
import { compareWords } from './network-range-list.ts';

export class PieceWriter {
  private readonly starts: Uint32Array;
  private readonly values: Uint32Array;
  private readonly width: number;
  private count = 0;

  /** `capacity`: the greatest possible number of pieces. */
  constructor(width: number, capacity: number) {
    this.width = width;
    this.starts = new Uint32Array(capacity * width);
    this.values = new Uint32Array(capacity);
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

/** Piece `i` runs from its start to the start of the next; the first starts at address 0, the last has no end. */
export interface Partition {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}
