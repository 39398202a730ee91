/** Deleted and shortened values are nowhere in the file any more, whatever uses its pages in the same transaction. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inTransaction, openConnection, type SqliteConnection } from './sqlite-connection.ts';

const TRACE = '198.51.100.77';
const ROWS = 60;
const ROWS_AT_ONCE = 6;

let directory: string;
let connection: SqliteConnection;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-connection-'));
  connection = openConnection(join(directory, 'test.db'));
  connection.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)');
});
afterEach(() => {
  connection.close();
  rmSync(directory, { recursive: true });
});

/** Texts of different lengths, longer than a page. */
const textOf = (row: number) =>
  Array.from({ length: 20 + ((row * 37) % 60) }, (_, line) => `${line} of ${row}: ${TRACE}, and more`).join(
    '\n',
  );
const without = (text: string) =>
  text
    .split('\n')
    .map((line, at) => (at % 2 === 0 ? line.replace(TRACE, '*') : ''))
    .join('\n');

it('leaves nothing of rows that a transaction writes again behind the texts of others', () => {
  const insert = connection.prepare('INSERT INTO texts VALUES (?, ?)');
  const update = connection.prepare('UPDATE texts SET text = ? WHERE id = ?');
  for (let row = 0; row < ROWS; row += 1) insert.run(row, textOf(row));
  for (let from = 0; from < ROWS; from += ROWS_AT_ONCE)
    inTransaction(connection, () => {
      for (let row = from; row < from + ROWS_AT_ONCE; row += 1) update.run(without(textOf(row)), row);
    });
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const file = readFileSync(join(directory, 'test.db'));
  expect(file.includes('59: *, and more')).toBe(true);
  expect(file.includes(TRACE)).toBe(false);
});
