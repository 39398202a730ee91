/** What a source has answered from memory, for as long as it would answer the same again. */

export interface RememberedAnswer {
  /** Whether the source would give the same answer at once. @param at when the signup came in, milliseconds since the epoch */
  isCurrent(at: number): boolean;
}

/** Of a source that counts its look-ups. */
export interface CountedAnswer extends RememberedAnswer {
  /** Counts a look-up that this answer has spared, as one from memory. */
  count(): void;
}
