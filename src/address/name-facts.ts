/** Decides what is remembered and stored of the local part of an address: no readable part, and no trailing number, which may be a phone's or a year of birth. */
import { KNOWN, type Known, type NameFacts, NO_NAME } from '../model/name-facts.ts';
import { MAX_ODDS, MAX_STRANGENESS } from './name-model.ts';
import { nameShapeOf } from './name-shape.ts';

const MAX_MASK = 12;
const MAX_STEM_LETTERS = 35;
/** Steps of a tenth from one limit to the other, both included. */
const STRANGENESS_STEPS = 2 * MAX_STRANGENESS * 10 + 1;
/** Kinds that have a place: one more changes nothing that is stored. */
const MAX_KNOWN = 8;
/** Digits, base 36. */
const HEAD = 4;
const STEM = 7;

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

/** Facts of a role: nobody's name, but `test1`, `test2`, … have something in common. */
export function withoutWord({ mask, stem, stemLetters }: NameFacts): NameFacts {
  return stem === 0 ? NO_NAME : { ...NO_NAME, mask, stem, stemLetters };
}

/** Text of letters, digits and `.`, `_`, `-`, `?`, `*`, `:`, at most 25 bytes, 10 of most names without a number; empty where nothing is known. */
export function writeNameFacts({ odds, strangeness, known, mask, stem, stemLetters }: NameFacts): string {
  if (mask === '' && odds === 0) return '';
  const oddsSteps = Math.round((odds + MAX_ODDS) * 10);
  const steps = oddsSteps * STRANGENESS_STEPS + Math.round((strangeness + MAX_STRANGENESS) * 10);
  const head = digits36(steps * MAX_KNOWN + KNOWN.indexOf(known), HEAD);
  if (stem === 0) return `${head}:${mask}`;
  return `${head}${digits36(stem, STEM)}${stemLetters.toString(36)}:${mask}`;
}

/** @param text as `writeNameFacts` wrote it */
export function readNameFacts(text: string): NameFacts {
  if (text === '') return NO_NAME;
  const packed = Number.parseInt(text.slice(0, HEAD), 36);
  const steps = Math.floor(packed / MAX_KNOWN);
  const hasStem = text.charAt(HEAD) !== ':';
  return {
    odds: (Math.floor(steps / STRANGENESS_STEPS) - MAX_ODDS * 10) / 10,
    strangeness: ((steps % STRANGENESS_STEPS) - MAX_STRANGENESS * 10) / 10,
    known: KNOWN[packed % MAX_KNOWN] as Known,
    mask: text.slice(hasStem ? HEAD + STEM + 2 : HEAD + 1),
    stem: hasStem ? Number.parseInt(text.slice(HEAD, HEAD + STEM), 36) : 0,
    stemLetters: hasStem ? Number.parseInt(text.charAt(HEAD + STEM), 36) : 0,
  };
}

/** Whether it is a text that `writeNameFacts` wrote of a name. */
export function isNameText(text: unknown): text is string {
  return typeof text === 'string' && FORM.test(text);
}

const FORM = /^[0-9a-z]{4}(?:[0-9a-z]{8})?:[ldux0-9._?*-]*$/;

/** A name without the traits by which a person could be known again: the odds that the judge reads are left. */
export function withoutTraits({ odds }: NameFacts): NameFacts {
  return { ...NO_NAME, odds: Math.max(0, odds) };
}

const digits36 = (value: number, length: number): string => value.toString(36).padStart(length, '0');
