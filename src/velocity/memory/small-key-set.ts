/** Counts distinct fingerprints of few keys, in memory that is used again. */

/** Slots for each key, so that searches are short. */
const SPARE = 2;

export class SmallKeySet {
  readonly #mask: number;
  /** State of each slot: whether it is used since the latest `clear`, and both halves of its fingerprint. */
  readonly #rounds: Uint32Array;
  readonly #lows: Int32Array;
  readonly #highs: Int32Array;
  #round = 1;

  /** @param maxKeys a power of two */
  constructor(maxKeys: number) {
    const slots = SPARE * maxKeys;
    this.#mask = slots - 1;
    this.#rounds = new Uint32Array(slots);
    this.#lows = new Int32Array(slots);
    this.#highs = new Int32Array(slots);
  }

  clear(): void {
    this.#round = (this.#round + 1) >>> 0;
    if (this.#round !== 0) return;
    this.#rounds.fill(0);
    this.#round = 1;
  }

  /** Returns 1 for a key that is new, 0 for another. */
  add(low: number, high: number): 0 | 1 {
    let slot = low & this.#mask;
    while (this.#rounds[slot] === this.#round) {
      if (this.#lows[slot] === low && this.#highs[slot] === high) return 0;
      slot = (slot + 1) & this.#mask;
    }
    this.#rounds[slot] = this.#round;
    this.#lows[slot] = low;
    this.#highs[slot] = high;
    return 1;
  }
}
