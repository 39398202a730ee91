/** Facts of the part of an address before the `@`, without a readable part of it. */

/** `name`: a first name or surname; `words`: two dictionary words and no name; `pair`: such of an adjective and a thing. Their order is stored. */
export const KNOWN = ['', 'name', 'word', 'words', 'pair'] as const;
export type Known = (typeof KNOWN)[number];

export interface NameFacts {
  /** Odds that it is generated: natural logarithm, −20 to 20, in tenths. `NameShape` explains them, strangeness and mask. */
  readonly odds: number;
  /** −9 to 9, in tenths. */
  readonly strangeness: number;
  readonly known: Known;
  /** Form of the name, at most 12 characters: a longer one ends with `*`. Empty where nothing is known of it. */
  readonly mask: string;
  /** Keyed hash of what stands before a trailing number, 32 bits; 0 without one. */
  readonly stem: number;
  /** Letters of the stem, at most 35; 0 without one. */
  readonly stemLetters: number;
}

/** Name of the pair that has them in the facts of a stored assessment. */
export const NAME_FACT = 'name';

/** Nothing known: what a role has, and an address at a relay, whose name a program made. */
export const NO_NAME: NameFacts = {
  odds: 0,
  strangeness: 0,
  known: '',
  mask: '',
  stem: 0,
  stemLetters: 0,
};
