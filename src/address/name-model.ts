/** Decides by a table of letter sequences how likely a local part is generated, and how unlike people's names it is. */
import { foldName } from './fold-name.ts';
import { createKnownNames, type Known, knownOf } from './known-names.ts';
import { COST_STEPS, SYMBOLS } from './letter-costs.ts';
import { MAX_NORM_LETTERS, type NameTable } from './name-table.ts';

/** How a local part is built, and how likely a program made it. */
export interface NameShape {
  /**
   * Natural logarithm of the odds that the letters were drawn at random (or the letters and digits, or syllables) rather than chosen by
   * a person: −20 to 20, in tenths. 0 where nothing can be said: digits alone, fewer than four letters, scripts that the table does not know.
   * Of a thousand people, one has more than `GENERATED_ODDS`.
   */
  readonly odds: number;
  /**
   * How unlike any people's names the letters are, in the language that fits best, as a standard score: among people the mean is 0 and the
   * deviation 1; −9 to 9, in tenths. Says little of one name; the mean of ten tells pronounceable gibberish from names.
   */
  readonly strangeness: number;
  /** A name or word that is known: a whole run of letters, two side by side, or a surname after an initial. `words`: two words and no name. */
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
export const GENERATED_ODDS = 7;

export const MAX_ODDS = 20;
export const MAX_STRANGENESS = 9;

/** More letters than any mailbox has; what follows is not looked at. */
const MAX_LENGTH = 64;
const MIN_LETTERS = 4;
const MIN_MIXED = 6;
const LN_2 = Math.log(2);
const LN_10 = Math.log(10);
const LN_26 = Math.log(26);
const LN_36 = Math.log(36);
/** A generator's choice of a length. */
const LENGTH_COST = 2.1;
/** Rarity of digits between letters among people's names (1.5 % have one), by the number of runs. */
const TURN_COSTS = [0, 0, 0, 9.5, 13, 17, 20, 22];
const MAX_TURN_COST = 23;
/** Letters that the digits 0 to 9 resemble: `o`, `i`, `z`, `e`, `a`, `s`, `g`, `t`, `b`, `g`. */
const LEET = Uint8Array.from([...'oizeasgtbg'], (letter) => letter.charCodeAt(0) - 96);
/** Rarity of such words among people's names. */
const LEET_COST = 4;
const NO_SHAPE: NameShape = { odds: 0, strangeness: 0, known: '', mask: '', stem: '', number: -1 };

const LETTER = 1;
const DIGIT = 2;
const FOREIGN = 3;
const SEPARATOR = 4;
const FOREIGN_LETTER = /\p{L}/u;

export function createNameModel(table: NameTable): (local: string) => NameShape {
  const costOf = createCostOf(table);
  const names = createKnownNames(table.known);
  const codes = new Uint8Array(MAX_LENGTH);
  const sum = { ...EMPTY_SUM };
  const found = { names: 0, words: 0, both: 0 };

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
    const cost = costOf(codes, letters);
    sum.letters += letters;
    sum.people += cost;
    sum.random += letters * LN_26 + LENGTH_COST;
    sum.syllables += syllablesCost(codes, letters);
    if (letters >= MIN_SCORED) {
      addStandard(sum, cost, letters);
      names.count(codes, letters, found);
    }
    if (runs < 3) return;
    const turns = (TURN_COSTS[runs] ?? MAX_TURN_COST) + Math.log(size);
    sum.random += turns;
    sum.syllables += turns;
    sum.people += Math.min(turns, leetCost(text, start, end) - digits - cost);
    if (size >= MIN_MIXED) sum.mixed = true;
  }

  /** Cost of a word in which digits replace letters that they resemble. */
  function leetCost(text: string, start: number, end: number): number {
    let replaced = 0;
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i) - 96;
      if (code <= 0) replaced++;
      codes[i - start] = code > 0 ? code : (LEET[code + 48] as number);
    }
    return costOf(codes, end - start) + LEET_COST + replaced * LN_2;
  }

  function addStandard(total: Sum, cost: number, letters: number): void {
    const size = Math.min(letters, MAX_NORM_LETTERS);
    const standard = (cost / letters - (table.means[size] as number)) / (table.deviations[size] as number);
    total.scores += standard * letters;
    total.weights += letters * letters;
  }

  return (local) => {
    const text = foldName(withoutTag(local));
    Object.assign(sum, EMPTY_SUM);
    found.names = 0;
    found.words = 0;
    found.both = 0;
    const { mask, foreign } = readRuns(text, addToken);
    if (mask === '') return NO_SHAPE;
    const isMute = foreign || (sum.letters < MIN_LETTERS && !sum.mixed);
    const { stem, number } = trailingNumber(text);
    return {
      odds: isMute ? 0 : oddsOf(sum),
      strangeness: isMute || sum.weights === 0 ? 0 : strangenessOf(sum),
      known: knownOf(found),
      mask,
      stem,
      number,
    };
  };
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

const EMPTY_SUM: Sum = {
  people: 0,
  random: 0,
  any: 0,
  syllables: 0,
  letters: 0,
  mixed: false,
  scores: 0,
  weights: 0,
};

/** A choice of letters and digits, or of syllables, is rarer than one of letters. */
const ANY_COST = 1;
const SYLLABLES_COST = 2;

function oddsOf({ people, random, any, syllables }: Sum): number {
  const odds = people - Math.min(random, any + ANY_COST, syllables + SYLLABLES_COST);
  return tenths(odds, MAX_ODDS);
}

function strangenessOf({ scores, weights }: Sum): number {
  return tenths(scores / Math.sqrt(weights), MAX_STRANGENESS);
}

function tenths(value: number, limit: number): number {
  const rounded = Math.round(Math.max(-limit, Math.min(limit, value)) * 10) / 10;
  // Without a negative zero.
  return rounded + 0;
}

/** Cost of a word in the family that fits best. Letters are codes from 1 to 26. */
type CostOf = (codes: Uint8Array, length: number) => number;

function createCostOf({ costs, families }: NameTable): CostOf {
  const count = families.length;
  const totals = new Int32Array(count);
  const row = SYMBOLS * count;
  return (codes, length) => {
    totals.fill(0);
    let context = 0;
    for (let i = 0; i <= length; i++) {
      const code = i < length ? (codes[i] as number) : 0;
      const at = context * row + code * count;
      for (let k = 0; k < count; k++) totals[k] = (totals[k] as number) + (costs[at + k] as number);
      context = (context % SYMBOLS) * SYMBOLS + code;
    }
    let best = totals[0] as number;
    for (let k = 1; k < count; k++) if ((totals[k] as number) < best) best = totals[k] as number;
    return best / COST_STEPS;
  };
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
const SYLLABLES = [0.15 / 20, 0.85 / 6, 0.85 / 20, 0.15 / 6, 0.75 / 20, 0.25 / 6].map(
  (share) => -Math.log(share),
);

function withoutTag(local: string): string {
  const plus = local.indexOf('+');
  const text = plus > 0 ? local.slice(0, plus) : local;
  return text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text;
}

type AddToken = (text: string, start: number, end: number, runs: number) => void;

/** Calls `add` for every piece between separators. */
function readRuns(text: string, add: AddToken): { readonly mask: string; readonly foreign: boolean } {
  const length = Math.min(text.length, MAX_LENGTH);
  let mask = '';
  let foreign = false;
  for (let i = 0; i < length; ) {
    const kind = kindAt(text, i);
    if (kind === SEPARATOR) {
      mask += separatorAt(text, i++);
      continue;
    }
    if (kind === FOREIGN) {
      const start = i;
      while (i < length && kindAt(text, i) === FOREIGN) i++;
      mask += `u${i - start}`;
      foreign = true;
      continue;
    }
    const start = i;
    let runs = 0;
    let last = 0;
    let turn = i;
    for (; i < length; i++) {
      const now = kindAt(text, i);
      if (now !== LETTER && now !== DIGIT) break;
      if (now === last) continue;
      runs++;
      if (runs === 2) turn = i;
      last = now;
    }
    mask += maskOf(kind, runs, start, turn, i);
    add(text, start, i, runs);
  }
  return { mask, foreign };
}

function maskOf(kind: number, runs: number, start: number, turn: number, end: number): string {
  if (runs > 2) return `x${end - start}`;
  const [one, two] = kind === LETTER ? ['l', 'd'] : ['d', 'l'];
  return runs === 1 ? `${one}${end - start}` : `${one}${turn - start}${two}${end - turn}`;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 97 && code <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code < 128) return SEPARATOR;
  return FOREIGN_LETTER.test(text.charAt(at)) || (code >= 0xd800 && code < 0xe000) ? FOREIGN : SEPARATOR;
}

function separatorAt(text: string, at: number): string {
  const character = text.charAt(at);
  return '._-'.includes(character) ? character : '?';
}

/** Digits that a number may have and still be exact. */
const MAX_DIGITS = 15;

function trailingNumber(text: string): { readonly stem: string; readonly number: number } {
  let start = text.length;
  while (start > 0 && kindAt(text, start - 1) === DIGIT) start--;
  const digits = text.length - start;
  if (digits === 0 || digits > MAX_DIGITS) return NO_NUMBER;
  let end = start;
  while (end > 0 && kindAt(text, end - 1) === SEPARATOR) end--;
  return { stem: text.slice(0, end), number: Number(text.slice(start)) };
}

const NO_NUMBER = { stem: '', number: -1 };
