/** Decides whether a run of letters is a name or a word that is known, or two of them side by side. */
import type { Known } from '../model/name-facts.ts';
import { MAX_KNOWN_LETTERS, MIN_KNOWN_LETTERS } from './name-table.ts';

/** Kinds of a known word, as bits: `rose` is a name, a word and a thing. Adjectives and things are words, too. */
const [NAME, WORD, ADJECTIVE, THING] = [1, 2, 4, 8];
export const KINDS = { NAME, WORD, ADJECTIVE, THING } as const;
const KIND_BITS = 0xf;
const MARK_BITS = 0xffff & ~KIND_BITS;

const BASE = 0x01000193;
const MAX_LETTERS = 64;
/** A name beside an initial is believed from this length on. */
const MIN_BESIDE_INITIAL = 4;

/** Known words of a local part so far. */
export interface KnownCount {
  names: number;
  words: number;
  /** Words that are names too. */
  both: number;
  /** Adjectives before a thing. */
  pairs: number;
  /** Whether the last one was an adjective. */
  isDescribed: boolean;
}

export const noneFound = (): KnownCount => ({ names: 0, words: 0, both: 0, pairs: 0, isDescribed: false });

/** Letters are codes from 1 to 26. */
export interface KnownNames {
  /** Adds what `codes[0…length)` is made of. */
  count(codes: Uint8Array, length: number, found: KnownCount): void;
}

export function createKnownNames(places: Uint16Array): KnownNames {
  const hashes = new Int32Array(MAX_LETTERS + 1);
  const powers = new Int32Array(MAX_LETTERS + 1).fill(1);
  for (let i = 1; i <= MAX_LETTERS; i++) powers[i] = Math.imul(powers[i - 1] as number, BASE);

  /** Kind of the letters from `start` to before `end`; 0 if unknown. */
  function kindOf(start: number, end: number): number {
    const length = end - start;
    if (length < MIN_KNOWN_LETTERS || length > MAX_KNOWN_LETTERS) return 0;
    const before = Math.imul(hashes[start] as number, powers[length] as number);
    return findMark(places, ((hashes[end] as number) - before) | 0);
  }

  return {
    count(codes, length, found) {
      for (let i = 0; i < length; i++)
        hashes[i + 1] = (Math.imul(hashes[i] as number, BASE) + (codes[i] as number)) | 0;
      const whole = kindOf(0, length);
      if (whole !== 0) {
        add(found, whole);
        return;
      }
      // Neither part may be longer than a known word.
      const from = Math.max(MIN_KNOWN_LETTERS, length - MAX_KNOWN_LETTERS);
      const to = Math.min(MAX_KNOWN_LETTERS, length - MIN_KNOWN_LETTERS);
      let [one, two] = [0, 0];
      for (let at = from; at <= to; at++) {
        const first = kindOf(0, at);
        if (first === 0) continue;
        const second = kindOf(at, length);
        if (second === 0) continue;
        // A name wins over words, wherever the run is split.
        if (first === NAME || second === NAME || (first & second & NAME) !== 0) {
          found.names++;
          return;
        }
        if (one === 0 || isPair(first, second)) [one, two] = [first, second];
      }
      // `jsmith`, `smithj` and `annak`. `wolfgangs` is no `wolf` and `gangs`.
      const [afterInitial, beforeInitial] = [kindOf(1, length), kindOf(0, length - 1)];
      const isBesideInitial =
        (afterInitial & NAME) !== 0 || beforeInitial === NAME || (one === 0 && (beforeInitial & NAME) !== 0);
      if (length > MIN_BESIDE_INITIAL && isBesideInitial) found.names++;
      else if (one !== 0) {
        add(found, one);
        add(found, two);
      }
    },
  };
}

const isPair = (first: number, second: number) => (first & ADJECTIVE) !== 0 && (second & THING) !== 0;

function add(found: KnownCount, kind: number): void {
  if (kind === NAME) found.names++;
  else if ((kind & NAME) === 0) found.words++;
  else found.both++;
  if (found.isDescribed && (kind & THING) !== 0) found.pairs++;
  found.isDescribed = (kind & ADJECTIVE) !== 0;
}

/** `rose` is a word beside a word, else a name. */
export function knownOf({ names, words, both, pairs }: KnownCount): Known {
  if (names > 0) return 'name';
  if (words === 0) return both > 0 ? 'name' : '';
  if (words + both === 1) return 'word';
  return pairs === 0 ? 'words' : 'pair';
}

/** Hash of a whole word, for the build. */
export function hashWord(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, BASE) + word.charCodeAt(i) - 96) | 0;
  return hash;
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const again = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (again ^ (again >>> 16)) >>> 0;
}

function findMark(places: Uint16Array, hash: number): number {
  const mixed = spread(hash);
  const mark = (mixed >>> 16) & MARK_BITS;
  const last = places.length - 1;
  for (let place = mixed & last; ; place = (place + 1) & last) {
    const found = places[place] as number;
    if (found === 0) return 0;
    if ((found & MARK_BITS) === mark) return found & KIND_BITS;
  }
}

/** Places for `kinds`, at most three quarters full; their number is a power of two. */
export function buildKnownNames(kinds: ReadonlyMap<string, number>): Uint16Array {
  let size = 1024;
  while (size * 0.75 < kinds.size) size *= 2;
  const places = new Uint16Array(size);
  for (const [word, kind] of kinds) {
    const mixed = spread(hashWord(word));
    const mark = (mixed >>> 16) & MARK_BITS;
    let place = mixed & (size - 1);
    while (places[place] !== 0 && ((places[place] as number) & MARK_BITS) !== mark)
      place = (place + 1) & (size - 1);
    places[place] = ((places[place] as number) & KIND_BITS) | mark | kind;
  }
  return places;
}
