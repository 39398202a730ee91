/** Decides how one source's blocks become rows (see `source-blocks.ts`): each with the narrowest block around it. */
import { hostMask } from '../address/block.ts';
import { compareWords, type RangeList } from './network-range-list.ts';
import { DEPARTED_BIT, PARENT_MASK } from './source-blocks.ts';

/** The ranges come in the order of a sorted list. @throws when one is not a block */
export class RowWriter {
  private readonly ranges: RangeList;
  private readonly rows: number[] = [];
  /** Blocks that may enclose the next one: places of ranges, and of their rows. */
  private readonly open: { readonly range: number; readonly place: number }[] = [];
  private last = -1;

  constructor(ranges: RangeList) {
    this.ranges = ranges;
  }

  append(range: number, departed: boolean): void {
    const { width, starts } = this.ranges;
    if (this.last >= 0 && this.isSame(this.last, range)) return;
    let enclosing = this.open.at(-1);
    while (enclosing !== undefined && this.endsBefore(enclosing.range, range)) {
      this.open.pop();
      enclosing = this.open.at(-1);
    }
    const place = this.rows.length / (width + 1);
    if (place >= PARENT_MASK) throw new Error(`a source with more than ${PARENT_MASK} blocks`);
    const flags = (departed ? DEPARTED_BIT : 0) | ((enclosing?.place ?? -1) + 1);
    for (let word = 0; word < width; word += 1) this.rows.push(starts[range * width + word] as number);
    this.rows.push(this.prefixOf(range) * 2 ** 24 + flags);
    this.open.push({ range, place });
    this.last = range;
  }

  finish(): Uint32Array {
    return new Uint32Array(this.rows);
  }

  private isSame(a: number, b: number): boolean {
    const { starts, ends, width } = this.ranges;
    return [starts, ends].every((words) => compareWords(words, a * width, words, b * width, width) === 0);
  }

  private endsBefore(a: number, b: number): boolean {
    const { ends, starts, width } = this.ranges;
    return compareWords(ends, a * width, starts, b * width, width) < 0;
  }

  private prefixOf(range: number): number {
    const { starts, ends, width } = this.ranges;
    let word = 0;
    while (word < width - 1 && starts[range * width + word] === ends[range * width + word]) word += 1;
    const prefix =
      word * 32 +
      Math.clz32((starts[range * width + word] as number) ^ (ends[range * width + word] as number));
    for (let index = 0; index < width; index += 1) {
      const host = hostMask(prefix - index * 32);
      const whole = ((starts[range * width + index] as number) | host) >>> 0 === ends[range * width + index];
      if (!whole || ((starts[range * width + index] as number) & host) !== 0) {
        throw new Error('a source lists a range that is not a block');
      }
    }
    return prefix;
  }
}
