/** Finds the names of autonomous systems by number, and the systems by a part of their name. */
import type { Container } from './snapshot-container.ts';

export interface NamedAs {
  readonly asn: number;
  readonly name: string;
}

export interface AsNames {
  /** The name at a place of the table. */
  at(place: number): string;
  /** Empty where the number has no addresses or no name. */
  of(asn: number): string;
  /**
   * Systems that have a word which begins with a text, in any case of its ASCII letters: those whose name begins with it first, then the
   * shorter names, then the lower numbers. Takes about a millisecond.
   */
  named(text: string, max: number): readonly NamedAs[];
}

/** Max. names that match before the best are chosen. */
const MAX_MATCHES = 2_000;
const SEPARATOR = /[^a-z0-9\x80-\xff]/;

/**
 * Names in the order of their numbers; place 0 is "no AS": an empty name. They stay bytes until they are needed.
 * @param readNumbers gives the number of the AS at every place
 */
export function openAsNames(container: Container<unknown>, readNumbers: () => Uint32Array): AsNames {
  const offsets = container.u32('as.offsets');
  const bytes = container.u8('as.names');
  const names = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoded = new Array<string | undefined>(offsets.length - 1);
  let numbers: Uint32Array | undefined;
  /** Kept from the first search on: 3 MB, for 7 ms of each one. Latin-1 keeps a byte a character. */
  let lowered: string | undefined;

  function at(place: number): string {
    decoded[place] ??= names.toString('utf8', offsets[place], offsets[place + 1]);
    return decoded[place];
  }

  return {
    at,
    of(asn) {
      numbers ??= readNumbers();
      const place = firstNotBelow(numbers, asn);
      return numbers[place] === asn ? at(place) : '';
    },
    named(text, max) {
      numbers ??= readNumbers();
      lowered ??= names.toString('latin1').toLowerCase();
      const found: (NamedAs & { isStart: boolean })[] = [];
      for (const { place, isStart } of placesWith(lowered, offsets, text))
        found.push({ asn: numbers[place] as number, name: at(place), isStart });
      return found
        .sort(
          (a, b) => Number(b.isStart) - Number(a.isStart) || a.name.length - b.name.length || a.asn - b.asn,
        )
        .slice(0, max)
        .map(({ asn, name }) => ({ asn, name }));
    },
  };
}

/** @param all names in Latin-1 and lower case: places in the text are places in the bytes */
function placesWith(all: string, offsets: Uint32Array, text: string): { place: number; isStart: boolean }[] {
  const wanted = Buffer.from(text).toString('latin1').toLowerCase();
  if (wanted === '') return [];
  const found: { place: number; isStart: boolean }[] = [];
  for (let index = all.indexOf(wanted); index >= 0 && found.length < MAX_MATCHES; ) {
    const place = firstNotBelow(offsets, index + 1) - 1;
    const [start, end] = [offsets[place] as number, offsets[place + 1] as number];
    const isWord = index === start || SEPARATOR.test(all[index - 1] as string);
    const isWithin = index + wanted.length <= end;
    if (isWord && isWithin) found.push({ place, isStart: index === start });
    index = all.indexOf(wanted, isWord && isWithin ? end : index + 1);
  }
  return found;
}

/** The first index whose value is not below; the length where all are. */
function firstNotBelow(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
