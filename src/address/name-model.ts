/** Decides by a table of letter sequences how likely a local part is generated, and how unlike people's names it is. */
import type { Known } from '../model/name-facts.ts';
import { foldName } from './fold-name.ts';
import { createKnownNames, knownOf, noneFound } from './known-names.ts';
import { type CostOf, createCostOf } from './letter-costs.ts';
import { MAX_NAME_LENGTH, readRuns, trailingNumber } from './name-runs.ts';
import { MAX_NORM_LETTERS, type NameTable } from './name-table.ts';

/** How a local part is built, and how likely a program made it. */
export interface NameShape {
  /**
   * Natural logarithm of the odds that the text was drawn at random (letters, letters and digits, or syllables) rather than chosen by a
   * person: −20 to 20, in tenths. 0 where nothing can be said: digits alone, fewer than four letters, scripts that the table does not
   * know. One in a thousand of people's user names has more than `GENERATED_ODDS`; digits after a name change nothing.
   */
  readonly odds: number;
  /**
   * How unlike any people's names the letters are, in the language that fits best, and without a known name or word the more: −9 to 9, in
   * tenths. People have about 0 on average with a deviation of 1, nicknames 1.8. It says little of one name; the mean of
   * ten tells pronounceable gibberish (2.6) from names: `STRANGE_GROUP`.
   */
  readonly strangeness: number;
  /** A name or word that is known: a whole run of letters, two side by side, or a surname after an initial. `words`: two words and no name; `pair`: such of an adjective and a thing. */
  readonly known: Known;
  /**
   * Runs of letters `l`, digits `d`, letters of scripts unknown to the table `u`, and what separates them: `l8d4`, `l4.l6`, `d9`.
   * Letters and digits in turn are one run `x`: `x10`. Other characters are `?`.
   */
  readonly mask: string;
  /** Text before a trailing number, without separators at its end, lower-case and without accents; '' where there is no such number. */
  readonly stem: string;
  /** Trailing number, −1 without one or if it has more than 15 digits. */
  readonly number: number;
}

/** Odds that one person in a thousand exceeds. */
export const GENERATED_ODDS = 7.5;
/** Mean strangeness that of ten names of people, in whatever language, one group in 250 exceeds. Ten nicknames often do: compare with what is usual at the place. */
export const STRANGE_GROUP = 2.05;

export const MAX_ODDS = 20;
export const MAX_STRANGENESS = 9;

const MIN_LETTERS = 4;
const MIN_MIXED = 6;
const LN_2 = Math.log(2);
const LN_10 = Math.log(10);
const LN_26 = Math.log(26);
const LN_36 = Math.log(36);
/** A generator's choice of a length. */
const LENGTH_COST = 2.1;
/** Rarity of digits between letters among people's names (1.5 % have one), by the number of runs. */
const TURN_COSTS = [0, 0, 0, 7, 10, 18, 24, 28];
const MAX_TURN_COST = 30;
/** Letters that the digits 0 to 9 replace: `o`, `i`, `e`, `a`, `s`, `t`, `b`. People use no others so. */
const LEET = Uint8Array.from([...'oi`eas`tb`'], (letter) => letter.charCodeAt(0) - 96);
/** Rarity of such words among people's names. */
const LEET_COST = 4;
/** Rarity of a number behind one, so that random letters and digits are none. */
const LEET_NUMBER_COST = 3;
const NO_SHAPE: NameShape = { odds: 0, strangeness: 0, known: '', mask: '', stem: '', number: -1 };

export function createNameModel(table: NameTable): (local: string) => NameShape {
  const costOf = createCostOf(table.marks);
  const names = createKnownNames(table.known);
  const codes = new Uint8Array(MAX_NAME_LENGTH);
  const sum = emptySum();
  const found = noneFound();

  /** Adds a run of letters and digits without separators. */
  function addToken(text: string, start: number, end: number, runs: number): void {
    const size = end - start;
    let letters = 0;
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i) - 96;
      if (code > 0) codes[letters++] = code;
    }
    const digits = (size - letters) * LN_10;
    sum.any += letters === 0 ? digits : size * LN_36 + LENGTH_COST;
    sum.people += digits;
    sum.random += digits;
    sum.syllables += digits;
    if (letters === 0) return;
    const cost = costOf(codes, letters, runs > 2);
    sum.letters += letters;
    sum.people += cost;
    sum.random += letters * LN_26 + LENGTH_COST;
    sum.syllables += syllablesCost(codes, letters);
    if (letters >= MIN_SCORED) {
      addStandard(sum, table, cost, letters);
      names.count(codes, letters, found);
    }
    if (runs < 3) return;
    const turns = (TURN_COSTS[runs] ?? MAX_TURN_COST) + Math.log(size);
    sum.random += turns;
    sum.syllables += turns;
    sum.people += Math.min(turns, leetCost(costOf, codes, text.slice(start, end)) - digits - cost);
    if (size >= MIN_MIXED) sum.mixed = true;
  }

  return (local) => {
    const text = foldName(withoutTag(local));
    clear(sum);
    found.names = found.words = found.both = found.pairs = 0;
    found.isDescribed = false;
    const { mask, foreign } = readRuns(text, addToken);
    if (mask === '') return NO_SHAPE;
    const isMute = foreign || (sum.letters < MIN_LETTERS && !sum.mixed);
    const { stem, number } = trailingNumber(text);
    const known = knownOf(found);
    return {
      odds: isMute ? 0 : oddsOf(sum),
      strangeness: isMute || sum.weights === 0 ? 0 : strangenessOf(sum, known),
      known,
      mask,
      stem,
      number,
    };
  };
}

/** Cost of a word in which digits replace letters that they resemble, and of a number behind it. */
function leetCost(costOf: CostOf, codes: Uint8Array, word: string): number {
  let end = word.length;
  while (word.charCodeAt(end - 1) < 97) end--;
  let replaced = 0;
  for (let i = 0; i < end; i++) {
    const code = word.charCodeAt(i) - 96;
    if (code <= 0) replaced++;
    const letter = code > 0 ? code : (LEET[code + 48] as number);
    if (letter === 0) return Number.POSITIVE_INFINITY;
    codes[i] = letter;
  }
  const number = end < word.length ? (word.length - end) * LN_10 + LEET_NUMBER_COST : 0;
  return costOf(codes, end, true) + LEET_COST + replaced * LN_2 + number;
}

function addStandard(total: Sum, table: NameTable, cost: number, letters: number): void {
  const size = Math.min(letters, MAX_NORM_LETTERS);
  const standard = (cost / letters - (table.means[size] as number)) / (table.deviations[size] as number);
  total.scores += standard * letters;
  total.weights += letters * letters;
}

interface Sum {
  /** Costs of the text if a person chose it, and if it is random letters, letters and digits, or syllables. */
  people: number;
  random: number;
  any: number;
  syllables: number;
  letters: number;
  mixed: boolean;
  /** Standard scores of the words by their letters, and the sum of the squares of these. */
  scores: number;
  weights: number;
}

const emptySum = (): Sum => ({
  people: 0,
  random: 0,
  any: 0,
  syllables: 0,
  letters: 0,
  mixed: false,
  scores: 0,
  weights: 0,
});

function clear(sum: Sum): void {
  sum.people = sum.random = sum.any = sum.syllables = 0;
  sum.letters = sum.scores = sum.weights = 0;
  sum.mixed = false;
}

/** A choice of letters and digits, or of syllables, is rarer than one of letters. */
const ANY_COST = 1;
const SYLLABLES_COST = 2;

function oddsOf({ people, random, any, syllables, mixed }: Sum): number {
  const odds = people - Math.min(random, any + ANY_COST, syllables + SYLLABLES_COST);
  // Letters alone are often an abbreviation that no list has.
  const isDoubtful = !mixed && odds > SURE_ODDS;
  return tenths(isDoubtful ? SURE_ODDS + (odds - SURE_ODDS) * LETTERS_SHARE : odds, MAX_ODDS);
}

const SURE_ODDS = 3;
const LETTERS_SHARE = 0.8;

function strangenessOf({ scores, weights }: Sum, known: Known): number {
  const score = scores / Math.sqrt(weights);
  return tenths(score + (known === '' ? UNKNOWN_SCORE : 0), MAX_STRANGENESS);
}

/** Two of three people have a name that is known, and hardly any program's syllables are one. */
const UNKNOWN_SCORE = 2;

function tenths(value: number, limit: number): number {
  const rounded = Math.round(Math.max(-limit, Math.min(limit, value)) * 10) / 10;
  // Without a negative zero.
  return rounded + 0;
}

function syllablesCost(codes: Uint8Array, length: number): number {
  let cost = LENGTH_COST;
  let before = START;
  for (let i = 0; i < length; i++) {
    const isVowel = VOWELS[codes[i] as number] as number;
    cost += SYLLABLES[before * 2 + isVowel] as number;
    before = isVowel;
  }
  return cost;
}

/** Min. length of a scored word: shorter ones tell nothing about their language. */
const MIN_SCORED = 3;
const START = 2;
const VOWELS = Uint8Array.from({ length: 27 }, (_, code) =>
  'aeiouy'.includes(String.fromCharCode(96 + code)) ? 1 : 0,
);
/** Costs of a consonant and of a vowel after a consonant, after a vowel, and at the start. */
const SYLLABLES = Float64Array.from(
  [0.15 / 20, 0.85 / 6, 0.85 / 20, 0.15 / 6, 0.75 / 20, 0.25 / 6],
  (share) => -Math.log(share),
);

function withoutTag(local: string): string {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
}
