/** Decides which runs of letters and digits a local part consists of, and which number it ends with. */

/** Letters and digits from `start` to before `end` without separators between them; `runs`: how often the one follows the other, and 1. */
export type AddToken = (text: string, start: number, end: number, runs: number) => void;

export interface NameRuns {
  /** Runs of letters `l`, digits `d`, letters of scripts without a spelling `u`, and separators. */
  readonly mask: string;
  /** Whether there are letters of such scripts. */
  readonly foreign: boolean;
}

/** Longest name that is read to its end; what follows changes nothing. */
export const MAX_NAME_LENGTH = 32;
const MAX_PIECES = 12;

const LETTER = 1;
const DIGIT = 2;
const SEPARATOR = 3;
const FOREIGN = 4;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER;
  return code >= 48 && code <= 57 ? DIGIT : SEPARATOR;
});
const FOREIGN_LETTER = /[\p{L}\p{M}\p{Cs}]/u;

/** `text` is lower-case, as `foldName` spells it. Calls `add` for every token. */
export function readRuns(text: string, add: AddToken): NameRuns {
  const length = Math.min(text.length, MAX_NAME_LENGTH);
  let mask = '';
  let foreign = false;
  let pieces = 0;
  for (let i = 0; i < length && pieces < MAX_PIECES; pieces++) {
    const start = i;
    const kind = kindAt(text, i);
    if (kind === SEPARATOR) {
      mask += separatorAt(text, i++);
    } else if (kind === FOREIGN) {
      while (i < length && kindAt(text, i) === FOREIGN) i++;
      mask += `u${i - start}`;
      foreign = true;
    } else {
      let runs = 1;
      let turn = 0;
      let last = kind;
      for (i++; i < length; i++) {
        const next = kindAt(text, i);
        if (next === last) continue;
        if (next > DIGIT) break;
        last = next;
        if (++runs === 2) turn = i;
      }
      mask += maskOf(kind, runs, start, turn, i);
      add(text, start, i, runs);
    }
  }
  return { mask, foreign };
}

function maskOf(kind: number, runs: number, start: number, turn: number, end: number): string {
  const isLetters = kind === LETTER;
  if (runs === 1) return (isLetters ? MASKS.l : MASKS.d)[end - start] as string;
  if (runs > 2) return MASKS.x[end - start] as string;
  const [first, second] = isLetters ? [MASKS.l, MASKS.d] : [MASKS.d, MASKS.l];
  return (first[turn - start] as string) + (second[end - turn] as string);
}

const masksOf = (kind: string): readonly string[] =>
  Array.from({ length: MAX_NAME_LENGTH + 1 }, (_, length) => `${kind}${length}`);
const MASKS = { l: masksOf('l'), d: masksOf('d'), x: masksOf('x') };

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return KINDS[code] as number;
  if (code >= 0x4e00 && code < 0xd800) return FOREIGN;
  return FOREIGN_LETTER.test(text.charAt(at)) ? FOREIGN : SEPARATOR;
}

function separatorAt(text: string, at: number): string {
  const character = text.charAt(at);
  return character === '.' || character === '_' || character === '-' ? character : '?';
}

export interface TrailingNumber {
  /** Text before the number without separators at its end; '' without a number. */
  readonly stem: string;
  /** The number; −1 without one. */
  readonly number: number;
}

/** Digits that a number may have and still be exact. */
const MAX_DIGITS = 15;
const NO_NUMBER: TrailingNumber = { stem: '', number: -1 };

export function trailingNumber(text: string): TrailingNumber {
  let start = text.length;
  while (start > 0 && kindAt(text, start - 1) === DIGIT) start--;
  const digits = text.length - start;
  if (digits === 0 || digits > MAX_DIGITS) return NO_NUMBER;
  let end = start;
  while (end > 0 && kindAt(text, end - 1) === SEPARATOR) end--;
  return { stem: text.slice(0, end), number: Number(text.slice(start)) };
}
