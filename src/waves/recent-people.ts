/** Decides whether a person was seen within the last day: who submits a form again is one member of a group, not two. */
import type { GroupKey } from './group-key.ts';

const WAYS = 8;
const AGAIN_S = 86_400;
const PLACE_BYTES = 12;

/** People by their keys; a full set of eight forgets the one that was seen first. */
export class RecentPeople {
  readonly #sets: number;
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  readonly #seen: Uint32Array;

  /** @param bytes max. size */
  constructor(bytes: number) {
    const sets = Math.max(1, Math.floor(bytes / PLACE_BYTES / WAYS));
    this.#sets = sets;
    this.#low = new Int32Array(sets * WAYS);
    this.#high = new Int32Array(sets * WAYS);
    this.#seen = new Uint32Array(sets * WAYS);
  }

  /** Notes a person. Returns whether it was noted within a day before. @param at seconds since the epoch */
  note({ low, high }: GroupKey, at: number): boolean {
    const begin = ((low >>> 0) % this.#sets) * WAYS;
    let oldest = begin;
    for (let place = begin; place < begin + WAYS; place += 1) {
      const seen = this.#seen[place] as number;
      if (seen < (this.#seen[oldest] as number)) oldest = place;
      if (seen === 0 || this.#low[place] !== low || this.#high[place] !== high) continue;
      this.#seen[place] = at;
      return at - seen < AGAIN_S;
    }
    this.#low[oldest] = low;
    this.#high[oldest] = high;
    this.#seen[oldest] = at;
    return false;
  }
}
