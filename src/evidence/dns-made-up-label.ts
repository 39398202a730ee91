/** Makes up a label that looks like one that was seen: the owner of the zone must not be able to tell it from real signups. */
import { randomInt } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
/** Shorter ones might exist. */
const MIN_LENGTH = 8;

/** Digits for digits, letters for letters; hyphens stay. 8 to 63 characters. */
export function makeLabelLike(seen: string): string {
  const form = seen.startsWith('xn--') ? LETTERS : seen;
  const padded = form + LETTERS.slice(0, Math.max(0, MIN_LENGTH - form.length));
  return [...padded].map((character) => drawLike(character)).join('');
}

function drawLike(character: string): string {
  if (character === '-') return character;
  const characters = DIGITS.includes(character) ? DIGITS : LETTERS;
  return characters[randomInt(characters.length)] as string;
}
