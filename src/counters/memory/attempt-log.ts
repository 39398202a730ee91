/** Decides where an account's attempts stand in memory: a ring in order of time, 16 bytes an attempt. */

const FIRST_CAPACITY = 16;
/** In the place of an address: the attempt was taken back. */
export const TAKEN_BACK = -1;

/** Attempt `n` has number `n` for ever and stands at `n & mask`. */
export class AttemptLog {
  /** The oldest attempt held, the oldest within the hour, and the number the next one gets. */
  first = 0;
  firstInHour = 0;
  next = 0;
  #times = new Float64Array(FIRST_CAPACITY);
  /** Two slots per attempt: its address's and its network's. */
  #slots = new Int32Array(2 * FIRST_CAPACITY);

  get length(): number {
    return this.next - this.first;
  }

  get capacity(): number {
    return this.#times.length;
  }

  push(time: number, address: number, network: number): number {
    if (this.length === this.capacity) this.#resize(this.capacity * 2);
    this.#times[this.#place(this.next)] = time;
    this.renumber(this.next, address, network);
    this.next += 1;
    return this.next - 1;
  }

  timeOf(attempt: number): number {
    return this.#times[this.#place(attempt)] as number;
  }

  addressOf(attempt: number): number {
    return this.#slots[this.#place(attempt) * 2] as number;
  }

  networkOf(attempt: number): number {
    return this.#slots[this.#place(attempt) * 2 + 1] as number;
  }

  /** Gives an attempt other slots, or takes it back with `TAKEN_BACK`. */
  renumber(attempt: number, address: number, network: number): void {
    this.#slots[this.#place(attempt) * 2] = address;
    this.#slots[this.#place(attempt) * 2 + 1] = network;
  }

  /** Makes every attempt as much older as the clock was set back: `back` milliseconds. */
  shiftTimes(back: number): void {
    for (let attempt = this.first; attempt < this.next; attempt += 1)
      this.#times[this.#place(attempt)] = this.timeOf(attempt) - back;
  }

  /** Forgets everything; the numbers go on. */
  clear(): void {
    this.first = this.next;
    this.firstInHour = this.next;
    this.#resize(FIRST_CAPACITY);
  }

  /** Halves the memory until at most three quarters of it stand empty. */
  shrink(): void {
    let capacity = this.capacity;
    while (capacity > FIRST_CAPACITY && this.length <= capacity / 4) capacity /= 2;
    this.#resize(capacity);
  }

  #place(attempt: number): number {
    return attempt & (this.#times.length - 1);
  }

  #resize(capacity: number): void {
    const times = new Float64Array(capacity);
    const slots = new Int32Array(2 * capacity);
    for (let attempt = this.first; attempt < this.next; attempt += 1) {
      const place = attempt & (capacity - 1);
      times[place] = this.timeOf(attempt);
      slots[place * 2] = this.addressOf(attempt);
      slots[place * 2 + 1] = this.networkOf(attempt);
    }
    this.#times = times;
    this.#slots = slots;
  }
}
