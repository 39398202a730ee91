/** Decides what is remembered of a group: decayed counts, a sum, a sketch of distinct values; in a table bounded by bytes. */
import type { GroupKey } from './group-key.ts';
import { countOne, distinctOf, GroupPeople, PEOPLE_BYTES, setSketchBit } from './group-people.ts';

/** Windows of the counts: a count has decayed to 1/e after two hours, a day, a week, 45 days. */
export const HOURS = 0;
export const DAY = 1;
export const WEEK = 2;
export const USUAL = 3;
const WINDOW_S = [7_200, 86_400, 7 * 86_400, 45 * 86_400] as const;
const WINDOWS = WINDOW_S.length;
/** Places of a key: a set that is full forgets one of them. */
const WAYS = 8;
export const NO_GROUP = -1;
/** Bytes of a place in all arrays. */
export const GROUP_BYTES = 4 * (WINDOWS + 7) + 2 * 3 + 1 + PEOPLE_BYTES;
/** Bits of an account's key by which the groups of one account are told from those of others. */
const ACCOUNT_BITS = 0xffff;

/** Order in which a full set forgets: without marks first, then of the account with the most places, then the quietest. */
const UNMARKED = 2 ** 40;
const SHARE = 2 ** 33;

/**
 * Groups by their keys, in sets of eight places. Keys that come once push out nothing that has marks, and a busy account pushes out
 * its own groups before those of others.
 */
export class GroupTable {
  /** People of each group who were let in, by its place. */
  readonly people: GroupPeople;
  readonly #sets: number;
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  readonly #account: Uint16Array;
  readonly #first: Uint32Array;
  readonly #last: Uint32Array;
  readonly #marks: Uint8Array;
  readonly #stopped: Uint16Array;
  readonly #hosting: Uint16Array;
  readonly #counts: Float32Array;
  readonly #sums: Float32Array;
  readonly #sketchLow: Int32Array;
  readonly #sketchHigh: Int32Array;

  /** @param bytes max. size */
  constructor(bytes: number) {
    const sets = Math.max(1, Math.floor(bytes / GROUP_BYTES / WAYS));
    const places = sets * WAYS;
    this.people = new GroupPeople(places);
    this.#sets = sets;
    this.#low = new Int32Array(places);
    this.#high = new Int32Array(places);
    this.#account = new Uint16Array(places);
    this.#first = new Uint32Array(places);
    this.#last = new Uint32Array(places);
    this.#marks = new Uint8Array(places);
    this.#stopped = new Uint16Array(places);
    this.#hosting = new Uint16Array(places);
    this.#counts = new Float32Array(places * WINDOWS);
    this.#sums = new Float32Array(places);
    this.#sketchLow = new Int32Array(places);
    this.#sketchHigh = new Int32Array(places);
  }

  /** Place of a group; `NO_GROUP` where it is not known. */
  find({ low, high }: GroupKey): number {
    const begin = this.#begin(low);
    for (let place = begin; place < begin + WAYS; place += 1)
      if (this.#low[place] === low && this.#high[place] === high && this.#last[place] !== 0) return place;
    return NO_GROUP;
  }

  /** Key of the group at a place. */
  keyAt(place: number): GroupKey {
    return { low: this.#low[place] as number, high: this.#high[place] as number };
  }

  /** Place of a group, which is new where it was not known. @param at seconds since the epoch */
  open(key: GroupKey, account: number, at: number): number {
    const found = this.find(key);
    if (found !== NO_GROUP) return found;
    const place = this.#room(key.low, account);
    this.#low[place] = key.low;
    this.#high[place] = key.high;
    this.#account[place] = account;
    this.#first[place] = at;
    if (this.#last[place] === 0) {
      // Never used: all of it is 0, and stays out of the processor's cache.
      this.#last[place] = at;
      return place;
    }
    this.#marks[place] = 0;
    this.#empty(place, at);
    return place;
  }

  /** Starts a group again from nothing. */
  clear(place: number, at: number): void {
    this.#first[place] = at;
    this.#empty(place, at);
  }

  /** Counts a member. */
  add(place: number, at: number): void {
    this.#decay(place, at);
    const begin = place * WINDOWS;
    for (let window = 0; window < WINDOWS; window += 1)
      this.#counts[begin + window] = (this.#counts[begin + window] as number) + 1;
  }

  /** Takes the latest member out of the count that says what is usual. */
  forgetUsual(place: number): void {
    const at = place * WINDOWS + USUAL;
    this.#counts[at] = Math.max(0, (this.#counts[at] as number) - 1);
  }

  /** Decayed count as of `at`. */
  count(place: number, window: number, at: number): number {
    const age = at - (this.#last[place] as number);
    const count = this.#counts[place * WINDOWS + window] as number;
    return age <= 0 ? count : count * Math.exp(-age / (WINDOW_S[window] as number));
  }

  /** The same of a group by its key, for later, when its place may be another group's; 0 where it is not known. */
  countOf(key: GroupKey, window: number, at: number): number {
    const place = this.find(key);
    return place === NO_GROUP ? 0 : this.count(place, window, at);
  }

  sumOf(key: GroupKey): number {
    const place = this.find(key);
    return place === NO_GROUP ? 0 : (this.#sums[place] as number);
  }

  distinctOf(key: GroupKey): number {
    const place = this.find(key);
    return place === NO_GROUP ? 0 : this.distinct(place);
  }

  /** Adds to a sum that decays as the week does and is never below 0. Returns it. */
  addToSum(place: number, amount: number): number {
    const sum = Math.max(0, (this.#sums[place] as number) + amount);
    this.#sums[place] = sum;
    return sum;
  }

  /** Seconds since the epoch when it was first seen. */
  firstAt(place: number): number {
    return this.#first[place] as number;
  }

  /** A group with a mark stays longer. */
  mark(place: number): void {
    this.#marks[place] = 1;
  }

  /** Notes what became of a member, and where it came from. */
  note(place: number, isStopped: boolean, isHosting: boolean): void {
    if (isStopped) countOne(this.#stopped, place);
    if (isHosting) countOne(this.#hosting, place);
  }

  /** Number of members who were stopped, at most 65,535, as `hosting`. */
  stopped(place: number): number {
    return this.#stopped[place] as number;
  }

  hosting(place: number): number {
    return this.#hosting[place] as number;
  }

  /** Adds a value to the sketch of distinct values. */
  see(place: number, { low }: GroupKey): void {
    setSketchBit(this.#sketchLow, this.#sketchHigh, place, low);
  }

  /** Estimate of distinct values, see `distinctOf`. */
  distinct(place: number): number {
    return distinctOf(this.#sketchLow, this.#sketchHigh, place);
  }

  #empty(place: number, at: number): void {
    this.#last[place] = at;
    this.#stopped[place] = 0;
    this.#hosting[place] = 0;
    this.#sums[place] = 0;
    this.#sketchLow[place] = 0;
    this.#sketchHigh[place] = 0;
    this.people.clear(place);
    this.#counts.fill(0, place * WINDOWS, (place + 1) * WINDOWS);
  }

  #decay(place: number, at: number): void {
    const age = at - (this.#last[place] as number);
    if (age <= 0) return;
    const begin = place * WINDOWS;
    for (let window = 0; window < WINDOWS; window += 1) {
      const factor = Math.exp(-age / (WINDOW_S[window] as number));
      this.#counts[begin + window] = (this.#counts[begin + window] as number) * factor;
      if (window === WEEK) this.#sums[place] = (this.#sums[place] as number) * factor;
    }
    this.#last[place] = at;
  }

  /** First place of the set of a key. */
  #begin(low: number): number {
    return ((low >>> 0) % this.#sets) * WAYS;
  }

  #room(low: number, account: number): number {
    const begin = this.#begin(low);
    let [best, bestRank] = [begin, Number.NEGATIVE_INFINITY];
    for (let place = begin; place < begin + WAYS; place += 1) {
      if (this.#last[place] === 0) return place;
      const rank = this.#rankToForget(begin, place, account);
      if (rank > bestRank) [best, bestRank] = [place, rank];
    }
    return best;
  }

  #rankToForget(begin: number, place: number, newcomer: number): number {
    const account = this.#account[place] as number;
    let share = account === (newcomer & ACCOUNT_BITS) ? 1 : 0;
    for (let other = begin; other < begin + WAYS; other += 1)
      if (this.#account[other] === account) share += 1;
    const unmarked = this.#marks[place] === 0 ? UNMARKED : 0;
    return unmarked + share * SHARE - (this.#last[place] as number);
  }
}
