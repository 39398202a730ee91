/** An answer that a source has given from memory, for as long as it would answer the same again. */

export interface RememberedAnswer {
  /** Milliseconds since the epoch: up to then it is the same for as long as its source has the same `changes`. */
  readonly until: number;
  /** Whether the source would give the same answer at once. @param at when the signup came in, milliseconds since the epoch */
  isCurrent(at: number): boolean;
}

/** A source that can change its mind about what it has answered. */
export interface ChangingSource {
  /** Another number after each change of that kind. */
  readonly changes: number;
}

/** A source that counts its look-ups. */
export interface CountingSource {
  /** Counts a look-up that a remembered answer has spared, as one from memory. */
  countSpared(): void;
}
