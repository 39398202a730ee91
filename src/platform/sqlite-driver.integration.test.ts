import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from './sqlite-driver.ts';

let folder: string;
let connection: SqliteConnection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-driver-'));
  connection = openSqlite(join(folder, 'file.db'));
  connection.exec('CREATE TABLE t (id TEXT PRIMARY KEY, n REAL, bytes BLOB) WITHOUT ROWID');
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'nothing was thrown';
};

describe('a connection to a SQLite file', () => {
  it.runIf('sqlite' in process.versions)('is Node’s own driver if Node.js has one', () => {
    const { version } = connection.prepare('SELECT sqlite_version() AS version').get() as { version: string };
    expect(version).toBe(process.versions.sqlite);
  });

  it('accepts values as arguments or as a list, by order or by number, and gives the number of changed rows', () => {
    const insert = connection.prepare('INSERT INTO t VALUES (?, ?, ?)');
    expect([insert.run('a', 1.5, Buffer.from('bytes')), insert.run(['b', null, null])]).toMatchObject([
      { changes: 1 },
      { changes: 1 },
    ]);
    const numbered = connection.prepare('SELECT ?2 AS two, ?1 AS one, ?2 AS again');
    expect(numbered.get('x', 'y')).toMatchObject({ one: 'x', two: 'y', again: 'y' });
    expect(numbered.all(['x', 'y'])).toEqual([{ one: 'x', two: 'y', again: 'y' }]);
    const select = connection.prepare('SELECT * FROM t ORDER BY id');
    const [a, b] = select.all() as { bytes: Uint8Array }[];
    expect(Buffer.from(a?.bytes as Uint8Array).toString()).toBe('bytes');
    expect(b).toEqual({ id: 'b', n: null, bytes: null });
    expect([...select.iterate()]).toHaveLength(2);
    expect(connection.prepare('SELECT id FROM t WHERE id = ?').get('c')).toBeUndefined();
  });

  it('knows which statements return rows', () => {
    const reader = (sql: string) => connection.prepare(sql).reader;
    expect(
      ['SELECT 1', ' WITH w AS (SELECT 1) SELECT * FROM w', 'DELETE FROM t RETURNING id'].map(reader),
    ).toEqual([true, true, true]);
    expect(reader('INSERT INTO t (id) VALUES (?)')).toBe(false);
    expect(connection.pragma('user_version')).toEqual([{ user_version: 0 }]);
  });

  it('gives SQLite’s error codes, and rolls back a transaction if there is one', () => {
    const other = openSqlite(join(folder, 'file.db'));
    connection.exec("INSERT INTO t (id) VALUES ('a')");
    expect(codeOf(() => connection.exec("INSERT INTO t (id) VALUES ('a')"))).toMatch(/^SQLITE_CONSTRAINT/);
    expect(codeOf(() => connection.prepare("INSERT INTO t (id) VALUES ('a')").run())).toMatch(
      /^SQLITE_CONSTRAINT/,
    );
    expect(codeOf(() => connection.exec('SELECT nothing FROM nowhere'))).toBe('SQLITE_ERROR');
    connection.exec('BEGIN IMMEDIATE');
    connection.exec('DELETE FROM t');
    expect(codeOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('SQLITE_BUSY');
    connection.rollback();
    connection.rollback();
    expect(other.prepare('SELECT id FROM t').all()).toEqual([{ id: 'a' }]);
    other.close();
  });

  it('writes nothing in read-only mode, and creates no file', () => {
    const reading = openSqlite(join(folder, 'file.db'), { readOnly: true });
    expect(codeOf(() => reading.exec('DELETE FROM t'))).toMatch(/^SQLITE_READONLY/);
    reading.close();
    expect(() =>
      openSqlite(join(folder, 'other.db'), { readOnly: true }).prepare('SELECT 1').get(),
    ).toThrow();
    expect(readdirSync(folder)).toEqual(['file.db']);
  });

  it('can be closed twice', () => {
    connection.close();
    expect(() => connection.close()).not.toThrow();
  });
});
