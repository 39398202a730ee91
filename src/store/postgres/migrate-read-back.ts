/** Reads what is stored of a table, a few thousand rows at a time, as of one moment. */
import type { Cell, Column, Kind, MigrationRow } from '../migrate-ports.ts';
import { quoted } from './migrate-insert-rows.ts';
import type { OneConnection } from './migrate-one-connection.ts';

const PAGE_ROWS = 1_000;

export async function* readBack(
  { query, rows }: OneConnection,
  table: string,
  columns: readonly Column[],
): AsyncGenerator<MigrationRow[]> {
  await query('BEGIN READ ONLY');
  try {
    await query(`DECLARE stored NO SCROLL CURSOR FOR SELECT ${quoted(columns)} FROM ${table}`);
    for (;;) {
      const page = await rows(`FETCH ${PAGE_ROWS} FROM stored`);
      if (page.length === 0) return;
      yield page.map((row) => row.map((value, at) => toCell(value, (columns[at] as Column).kind)));
    }
  } finally {
    await query('ROLLBACK');
  }
}

function toCell(value: unknown, kind: Kind): Cell {
  if (value === null) return null;
  if (kind === 'time') return (value as Date).getTime();
  return kind === 'numbers' ? (value as number[]).map(Math.fround) : (value as Cell);
}
