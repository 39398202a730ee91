/** Decides the form of the compiled table of the name model, reads and writes it. */
import { gunzipSync, gzipSync } from 'node:zlib';

/** Words of this many letters are looked up, and so are two parts of a word. */
export const MIN_KNOWN_LETTERS = 3;
export const MAX_KNOWN_LETTERS = 15;
/** Longest word that has its own mean and deviation. */
export const MAX_NORM_LETTERS = 24;

/** Content of the file. */
export interface NameTable {
  /** Families of languages, user names, words, and habits of abbreviating. */
  readonly families: readonly string[];
  /** Marks of how often a letter follows two others, 27³ for each family (`markOf`). */
  readonly marks: readonly Uint8Array[];
  /** Mean cost a letter of people's names in their best family, by number of letters, and its deviation. */
  readonly means: Float64Array;
  readonly deviations: Float64Array;
  /** Hash table of names and words: an empty place is 0, else a mark of the word with its kind in the four lowest bits. */
  readonly known: Uint16Array;
}

interface Header extends Pick<NameTable, 'families'> {
  readonly means: readonly number[];
  readonly deviations: readonly number[];
  readonly places: number;
}

const MAGIC = 'gatehouse names 2\n';

export function writeNameTable({ families, marks, means, deviations, known }: NameTable): Uint8Array {
  const header: Header = { families, means: [...means], deviations: [...deviations], places: known.length };
  const places = Buffer.alloc(known.length * 2);
  for (const [i, mark] of known.entries()) places.writeUInt16LE(mark, i * 2);
  return gzipSync(Buffer.concat([Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`), places, ...marks]), {
    level: 9,
  });
}

/** @throws if the file has another form */
export function readNameTable(file: Uint8Array): NameTable {
  const bytes = gunzipSync(file);
  const end = bytes.indexOf('\n', MAGIC.length);
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC || end < 0)
    throw new Error('the table of the name model has another form: run `npm run build`');
  const header = JSON.parse(bytes.toString('utf8', MAGIC.length, end)) as Header;
  const { families, places } = header;
  const known = new Uint16Array(places);
  for (let i = 0; i < places; i++) known[i] = bytes.readUInt16LE(end + 1 + i * 2);
  const start = end + 1 + places * 2;
  const size = (bytes.length - start) / families.length;
  return {
    families,
    marks: families.map((_, k) => bytes.subarray(start + k * size, start + (k + 1) * size)),
    means: Float64Array.from(header.means),
    deviations: Float64Array.from(header.deviations),
    known,
  };
}
