/** Decides how often each key is counted within the hour and the day; a key is held while its day is above zero. */
import { KeyTable, widened } from './key-table.ts';

const FIRST_CAPACITY = 16;

export class KeyCounts {
  readonly #table = new KeyTable();
  /** Two numbers per slot: the hour's count and the day's. */
  #counts = new Int32Array(2 * FIRST_CAPACITY);

  /** The slot of a key. Fresh ones have both counts at zero and wait for `enterDay`. */
  slotOf(key: string): number {
    const slot = this.#table.slotOf(key);
    if (slot * 2 >= this.#counts.length) this.#counts = widened(this.#counts);
    return slot;
  }

  keyOf(slot: number): string {
    return this.#table.keyOf(slot);
  }

  hour(slot: number): number {
    return this.#counts[slot * 2] as number;
  }

  day(slot: number): number {
    return this.#counts[slot * 2 + 1] as number;
  }

  /** Each move returns the new count. */
  enterHour(slot: number): number {
    return this.#move(slot * 2, 1);
  }

  leaveHour(slot: number): number {
    return this.#move(slot * 2, -1);
  }

  enterDay(slot: number): number {
    return this.#move(slot * 2 + 1, 1);
  }

  /** At zero the slot is given back, its hour being at zero by then. */
  leaveDay(slot: number): number {
    const count = this.#move(slot * 2 + 1, -1);
    if (count === 0) this.#table.release(slot);
    return count;
  }

  #move(place: number, by: 1 | -1): number {
    const count = (this.#counts[place] as number) + by;
    this.#counts[place] = count;
    return count;
  }
}
