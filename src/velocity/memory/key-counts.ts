/** Decides how the two counts of a key fit into one number of 32 bits: up to 32,767 as they are, above that in a cell apart. */

const BITS = 15;
const MAX_COUNT = (1 << BITS) - 1;

export class KeyCounts {
  readonly #hours: number[] = [];
  readonly #days: number[] = [];
  readonly #free: number[] = [];

  hour(counts: number): number {
    return counts < 0 ? (this.#hours[~counts] as number) : counts >> BITS;
  }

  day(counts: number): number {
    return counts < 0 ? (this.#days[~counts] as number) : counts & MAX_COUNT;
  }

  /** A number with these counts, each 1 at most. Other than a key's, it may be counted within the hour alone. */
  contribution(hour: number, day: number): number {
    return (hour << BITS) | day;
  }

  /** The changed number; 0 when nothing is counted within the day any more. No count may become negative. */
  changed(counts: number, hour: number, day: number): number {
    const newHour = this.hour(counts) + hour;
    const newDay = this.day(counts) + day;
    if (counts >= 0 && newDay <= MAX_COUNT) return newDay === 0 ? 0 : (newHour << BITS) | newDay;
    const cell = counts < 0 ? ~counts : (this.#free.pop() ?? this.#days.length);
    this.#hours[cell] = newHour;
    this.#days[cell] = newDay;
    if (newDay > 0) return ~cell;
    this.#free.push(cell);
    return 0;
  }
}
