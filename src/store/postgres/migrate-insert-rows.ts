/** Inserts many rows by one statement: each column as an array in binary format. */
import type { Cell, Column, Kind, MigrationRow } from '../migrate-ports.ts';
import { createBinaryArrays } from './binary-arrays.ts';
import type { Query } from './database.ts';

/** How a column's array is typed, and how its items become the column's own type. */
const TYPES: Readonly<Record<Kind, readonly [array: string, cast: string]>> = {
  text: ['text[]', ''],
  number: ['bigint[]', ''],
  flag: ['text[]', '::boolean'],
  time: ['text[]', '::timestamptz'],
  numbers: ['text[]', '::real[]'],
};

export type InsertRows = (
  query: Query,
  into: string,
  columns: readonly Column[],
  rows: readonly MigrationRow[],
) => Promise<void>;

/** The arrays' memory is used again and again: one insert at a time. */
export function createInsertRows(): InsertRows {
  const arrays = createBinaryArrays();
  return async (query, into, columns, rows) => {
    arrays.begin();
    for (const [at, { kind }] of columns.entries()) {
      if (kind === 'number') arrays.int8(rows, (row) => row[at] as number | null);
      else arrays.text(rows, (row) => toText(row[at] as Cell, kind));
    }
    await query({ name: `into ${into}`, text: insertSql(into, columns) }, arrays.end());
  };
}

export function quoted(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

function insertSql(into: string, columns: readonly Column[]): string {
  const values = columns.map(({ name, kind }) => `"${name}"${TYPES[kind][1]}`).join(', ');
  const given = columns.map(({ kind }, at) => `$${at + 1}::${TYPES[kind][0]}`).join(', ');
  return `INSERT INTO ${into} (${quoted(columns)}) SELECT ${values} FROM unnest(${given}) AS given (${quoted(columns)})`;
}

function toText(cell: Cell, kind: Kind): string | null {
  if (cell === null) return null;
  if (kind === 'time') return new Date(cell as number).toISOString();
  return kind === 'numbers' ? `{${(cell as readonly number[]).join(',')}}` : String(cell);
}
