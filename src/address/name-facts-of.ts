/** Decides what is remembered and stored of the local part of an address: no readable part, and no trailing number, which may be a phone's or a year of birth. */
import type { NameFacts } from '../model/name-facts.ts';
import { nameShapeOf } from './name-shape.ts';

const MAX_MASK = 12;
const MAX_STEM_LETTERS = 35;

/** @param hashStem keyed hash, never 0 */
export function nameFactsOf(local: string, hashStem: (stem: string) => number): NameFacts {
  const { odds, strangeness, known, mask, stem } = nameShapeOf(local);
  return {
    odds,
    strangeness,
    known,
    mask: mask.length > MAX_MASK ? `${mask.slice(0, MAX_MASK - 1)}*` : mask,
    stem: stem === '' ? 0 : hashStem(stem),
    stemLetters: Math.min(stem.length, MAX_STEM_LETTERS),
  };
}
