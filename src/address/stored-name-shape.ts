/** Decides what of the shape of a local part may be stored, in a short text: no readable part of the address. */
import { createHmac } from 'node:crypto';
import type { Known } from './known-names.ts';
import { MAX_ODDS, MAX_STRANGENESS, type NameShape } from './name-model.ts';

/** A shape as it is read back. */
export interface StoredNameShape extends Pick<NameShape, 'odds' | 'strangeness' | 'known' | 'mask'> {
  /** Keyed hash of the text before a trailing number, 0 without one. */
  readonly stem: number;
  /** Characters of that text, at most 35. */
  readonly stemLetters: number;
  /** Trailing number after a stem; −1 without one, or with more than six digits: that may be a phone number. */
  readonly number: number;
}

const KINDS: readonly Known[] = ['', 'name', 'word', 'words'];
const ODDS = 2 * MAX_ODDS * 10 + 1;
const STRANGENESS = 2 * MAX_STRANGENESS * 10 + 1;
const HEAD = 4;
const STEM = 7;
const MAX_STEM_LETTERS = 35;
const MAX_NUMBER = 999_999;
/** Characters of a mask; a longer one ends with `*`. */
const MAX_MASK = 12;

/** Text of letters, digits and `.`, `_`, `-`, `?`, `*`, `:`; 24 bytes or fewer for most names, at most 29. */
export function writeNameShape(shape: NameShape, key: Uint8Array): string {
  const { odds, strangeness, known, mask, stem, number } = shape;
  const tenths =
    Math.round((odds + MAX_ODDS) * 10) * STRANGENESS + Math.round((strangeness + MAX_STRANGENESS) * 10);
  const head = digits36(tenths * KINDS.length + KINDS.indexOf(known), HEAD);
  const shortMask = mask.length > MAX_MASK ? `${mask.slice(0, MAX_MASK - 1)}*` : mask;
  if (stem === '') return `${head}:${shortMask}`;
  const letters = digits36(Math.min(stem.length, MAX_STEM_LETTERS), 1);
  const shown = number >= 0 && number <= MAX_NUMBER ? number.toString(36) : '';
  return `${head}${digits36(hashOf(stem, key), STEM)}${letters}${shown}:${shortMask}`;
}

/** @returns `undefined` for a text of another form */
export function readNameShape(text: string): StoredNameShape | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, head = '', stem = '0', letters = '0', number = '', mask = ''] = match;
  const packed = Number.parseInt(head, 36);
  const known = KINDS[packed % KINDS.length] as Known;
  const tenths = Math.floor(packed / KINDS.length);
  const odds = Math.floor(tenths / STRANGENESS);
  if (odds >= ODDS) return undefined;
  return {
    odds: (odds - MAX_ODDS * 10) / 10,
    strangeness: ((tenths % STRANGENESS) - MAX_STRANGENESS * 10) / 10,
    known,
    mask,
    stem: Number.parseInt(stem, 36),
    stemLetters: Number.parseInt(letters, 36),
    number: number === '' ? -1 : Number.parseInt(number, 36),
  };
}

const FORM = /^([0-9a-z]{4})(?:([0-9a-z]{7})([0-9a-z])([0-9a-z]{0,4}))?:([ldux0-9._?*-]*)$/;

const digits36 = (value: number, length: number): string => value.toString(36).padStart(length, '0');

/** Keyed hash of 32 bits, never 0. */
function hashOf(stem: string, key: Uint8Array): number {
  return createHmac('sha256', key).update(stem).digest().readUInt32BE(0) || 1;
}
