/** Decides when two tables have the same content: every row is a line of PostgreSQL's COPY, and the lines are counted and hashed. */
import { hash } from 'node:crypto';

export interface TableColumn {
  readonly name: string;
  /** PostgreSQL's name of the type: a key of `VALUE_TEXTS`. */
  readonly type: string;
}

/** Values by column, as the source has them. */
export type TableRow = Readonly<Record<string, unknown>>;

export interface TableDigest {
  readonly rows: number;
  /** Sum of the lines' SHA-256, hex: the order of the rows does not matter. */
  readonly hash: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};
const ESCAPED = /[\b\f\n\r\t\v\\]/g;
const HASH_WORDS = 8;
/** PostgreSQL writes smaller numbers with an exponent of at least two digits. */
const MIN_PLAIN = 1e-4;

/** A value as COPY writes it, by the type of its column. */
export const VALUE_TEXTS: Readonly<Record<string, (value: never) => string>> = {
  text: (value: unknown) => String(value).replace(ESCAPED, (char) => ESCAPES[char] as string),
  bigint: String,
  integer: String,
  boolean: (value: number) => (value === 1 ? 't' : 'f'),
  'timestamp with time zone': (value: string | number) => new Date(value).toISOString(),
  'real[]': (value: readonly number[]) => `{${value.map(realText).join(',')}}`,
};

/** A line with its end. No two rows that differ have the same. */
export function toLine(row: TableRow, columns: readonly TableColumn[]): Buffer {
  const texts = columns.map(({ name, type }) => {
    const value = row[name] ?? null;
    return value === null ? '\\N' : (VALUE_TEXTS[type] as (value: unknown) => string)(value);
  });
  return Buffer.from(`${texts.join('\t')}\n`);
}

export function createTableDigest() {
  const sum = new Uint32Array(HASH_WORDS);
  let rows = 0;
  return {
    add(line: Buffer): void {
      const digest = hash('sha256', line, 'buffer');
      for (let word = 0; word < HASH_WORDS; word += 1)
        sum[word] = (sum[word] as number) + digest.readUInt32BE(4 * word);
      rows += 1;
    },
    end: (): TableDigest => ({
      rows,
      hash: [...sum].map((word) => word.toString(16).padStart(8, '0')).join(''),
    }),
  };
}

/** Text of the double that is nearest to the single. */
function realText(value: number): string {
  const single = Math.fround(value);
  if (single === 0 || Math.abs(single) >= MIN_PLAIN) return String(single);
  return single.toExponential().replace(/e-(\d)$/, 'e-0$1');
}
