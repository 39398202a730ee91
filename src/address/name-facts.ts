/** Decides how the facts of a name are stored and read. It knows no names: who only reads facts need not load the table of them. */
import { KNOWN, type Known, type NameFacts, NO_NAME } from '../model/name-facts.ts';
import { MAX_ODDS, MAX_STRANGENESS } from './name-model.ts';

/** Steps of a tenth from one limit to the other, both included. */
const STRANGENESS_STEPS = 2 * MAX_STRANGENESS * 10 + 1;
/** Kinds that have a place: one more changes nothing that is stored. */
const MAX_KNOWN = 8;
/** Digits, base 36. */
const HEAD = 4;
const STEM = 7;

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
