/** Decides how sets of sources lie in a snapshot: each distinct one once, by number. */
import type { Container } from './snapshot-container.ts';

const MAX_MASKS = 0x10000;

/** Distinct masks of sources while a snapshot is compiled; number 0 is the empty one. */
export class MaskTable {
  private readonly numbers = new Map<bigint, number>([[0n, 0]]);

  numberOf(mask: bigint): number {
    let number = this.numbers.get(mask);
    if (number === undefined) {
      number = this.numbers.size;
      if (number === MAX_MASKS) throw new Error(`more than ${MAX_MASKS} combinations of sources`);
      this.numbers.set(mask, number);
    }
    return number;
  }

  /** Low word, high word. */
  encode(): Uint32Array {
    const words = [...this.numbers.keys()].flatMap((mask) => [
      Number(mask & 0xffffffffn),
      Number(mask >> 32n),
    ]);
    return Uint32Array.from(words);
  }
}

/** The mask of each number. */
export function openMasks(container: Container<unknown>): {
  readonly length: number;
  at(number: number): bigint;
} {
  const words = container.u32('masks');
  return {
    length: words.length / 2,
    at: (number) => BigInt(words[number * 2] as number) | (BigInt(words[number * 2 + 1] as number) << 32n),
  };
}
