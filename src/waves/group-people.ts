/** Decides what is remembered of the people of a group who were let in: how many, how many of them different, on which days, with which names, and how many were blocked beside them. */
import type { GroupKey } from './group-key.ts';

const DAY_S = 86_400;
const BITS = 32;
const SKETCH_BITS = 64;
const SKETCH_FULL = 4 * SKETCH_BITS;
/** Bytes of a place in all arrays. */
export const PEOPLE_BYTES = 4 * 4 + 2 * 3;
const MAX_COUNT = 65_535;

/** Parallel to the places of a `GroupTable`. */
export class GroupPeople {
  readonly #since: Uint32Array;
  readonly #count: Uint16Array;
  readonly #named: Uint16Array;
  readonly #blocked: Uint16Array;
  /** A bit for each day, which is that of another day after 32. */
  readonly #days: Uint32Array;
  readonly #sketchLow: Int32Array;
  readonly #sketchHigh: Int32Array;

  constructor(places: number) {
    this.#since = new Uint32Array(places);
    this.#count = new Uint16Array(places);
    this.#named = new Uint16Array(places);
    this.#blocked = new Uint16Array(places);
    this.#days = new Uint32Array(places);
    this.#sketchLow = new Int32Array(places);
    this.#sketchHigh = new Int32Array(places);
  }

  /** Counts somebody who was let in. @param at seconds since the epoch */
  add(place: number, at: number, { low }: GroupKey, isNamed: boolean): void {
    if (this.#count[place] === 0) this.#since[place] = at;
    countOne(this.#count, place);
    if (isNamed) countOne(this.#named, place);
    this.#days[place] = (this.#days[place] as number) | (1 << (Math.floor(at / DAY_S) % BITS));
    setSketchBit(this.#sketchLow, this.#sketchHigh, place, low);
  }

  /** Number of them, at most 65,535, as `named` and `blocked`. */
  count(place: number): number {
    return this.#count[place] as number;
  }

  named(place: number): number {
    return this.#named[place] as number;
  }

  /** Counts somebody who was blocked. */
  block(place: number): void {
    countOne(this.#blocked, place);
  }

  blocked(place: number): number {
    return this.#blocked[place] as number;
  }

  /** Seconds since the epoch when the first of them came. */
  since(place: number): number {
    return this.#since[place] as number;
  }

  /** Different days on which somebody came, at most 32. */
  days(place: number): number {
    return bitsOf(this.#days[place] as number);
  }

  /** Different people, an estimate. */
  distinct(place: number): number {
    return distinctOf(this.#sketchLow, this.#sketchHigh, place);
  }

  clear(place: number): void {
    if (this.#count[place] === 0 && this.#blocked[place] === 0) return;
    this.#since[place] = 0;
    this.#count[place] = 0;
    this.#named[place] = 0;
    this.#blocked[place] = 0;
    this.#days[place] = 0;
    this.#sketchLow[place] = 0;
    this.#sketchHigh[place] = 0;
  }
}

/** Counts up to the largest number that has room. */
export function countOne(counts: Uint16Array, place: number): void {
  const count = counts[place] as number;
  if (count < MAX_COUNT) counts[place] = count + 1;
}

/** Adds a value to a sketch of distinct values. */
export function setSketchBit(lows: Int32Array, highs: Int32Array, place: number, value: number): void {
  const bit = (value >>> 0) % SKETCH_BITS;
  const half = bit < BITS ? lows : highs;
  half[place] = (half[place] as number) | (1 << (bit & (BITS - 1)));
}

/** Estimate of distinct values by linear counting, right to a few for up to 100; 256 where the sketch is full. */
export function distinctOf(lows: Int32Array, highs: Int32Array, place: number): number {
  const ones = bitsOf(lows[place] as number) + bitsOf(highs[place] as number);
  if (ones === SKETCH_BITS) return SKETCH_FULL;
  return -SKETCH_BITS * Math.log(1 - ones / SKETCH_BITS);
}

function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
