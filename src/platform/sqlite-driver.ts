/** Opens SQLite files: with Node's own module if it has one, else with the package libsql. */
import { pathToFileURL } from 'node:url';
import { requirePackage } from './common-js.ts';
import { createRunCall, type RunCall } from './native-calls.ts';

/** Values go in one by one, or as one list; a placeholder is `?` or `?1`. */
export interface SqliteStatement {
  /** Whether it gives rows. */
  readonly reader: boolean;
  run(...values: readonly unknown[]): { readonly changes: number };
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown[];
  iterate(...values: readonly unknown[]): Iterable<unknown>;
}

/** A connection. A refusal of SQLite is thrown as an error with its `code`, such as `SQLITE_BUSY`. */
export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  /** Runs statements without values. */
  exec(sql: string): void;
  /** The rows that `PRAGMA …` gives. */
  pragma(text: string): unknown[];
  /** Does nothing outside a transaction. */
  rollback(): void;
  /** Does nothing where it is closed. */
  close(): void;
}

export interface SqliteOpening {
  /** The file must exist, and nothing is written, not even when it is closed. */
  readonly readOnly?: boolean;
}

type OpenSqlite = (file: string, opening?: SqliteOpening) => SqliteConnection;

/** `node:sqlite` needs a flag before. */
const FIRST_VERSION = [22, 13] as const;

/** A file must be open through one of both only: each would end the locks that the other holds in this process. */
export const openSqlite: OpenSqlite = hasOwnModule(process.versions.node) ? ownModule() : libsql();

function hasOwnModule(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [firstMajor, firstMinor] = FIRST_VERSION;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** The part of the package that is used. */
interface LibsqlDatabase extends Omit<SqliteConnection, 'rollback'> {
  readonly inTransaction: boolean;
}

function libsql(): OpenSqlite {
  const Database = requirePackage('libsql') as new (file: string) => LibsqlDatabase;
  const runCall = createRunCall();
  return (file, { readOnly = false } = {}) => {
    // The package's own option for this does nothing.
    const name = readOnly ? `${pathToFileURL(file).href}?mode=ro` : file;
    if (runCall === undefined) return toConnection(new Database(name));
    return runningCalls(
      runCall(() => toConnection(new Database(name))),
      runCall,
    );
  };
}

function toConnection(database: LibsqlDatabase): SqliteConnection {
  return {
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => void database.exec(sql),
    pragma: (text) => database.pragma(text),
    rollback() {
      if (database.inTransaction) database.exec('ROLLBACK');
    },
    close: () => database.close(),
  };
}

function runningCalls(connection: SqliteConnection, run: RunCall): SqliteConnection {
  return {
    prepare: (sql) =>
      runningCallsOf(
        run(() => connection.prepare(sql)),
        run,
      ),
    exec: (sql) => run(() => connection.exec(sql)),
    pragma: (text) => run(() => connection.pragma(text)),
    rollback: () => run(connection.rollback),
    close: () => run(connection.close),
  };
}

function runningCallsOf(statement: SqliteStatement, run: RunCall): SqliteStatement {
  return {
    reader: run(() => statement.reader),
    run: (...values) => run(() => statement.run(...values)),
    get: (...values) => run(() => statement.get(...values)),
    all: (...values) => run(() => statement.all(...values)),
    *iterate(...values) {
      const rows = run(() => statement.iterate(...values)[Symbol.iterator]());
      for (let row = run(() => rows.next()); row.done !== true; row = run(() => rows.next())) yield row.value;
    },
  };
}

/** The part of `node:sqlite` that is used. Its types are not in those of Node.js 20. */
interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}
type NodeStatement = Omit<SqliteStatement, 'reader'>;
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options: { readOnly: boolean }) => NodeDatabase;
}

function ownModule(): OpenSqlite {
  const { DatabaseSync } = loadQuietly();
  return (file, { readOnly = false } = {}) => {
    const database = named(() => new DatabaseSync(file, { readOnly }));
    const exec = (sql: string) => named(() => database.exec(sql));
    // Its `isOpen` is younger than the module.
    let isOpen = true;
    return {
      prepare: (sql) =>
        toStatement(
          sql,
          named(() => database.prepare(sql)),
        ),
      exec,
      pragma: (text) => named(() => database.prepare(`PRAGMA ${text}`).all()),
      rollback() {
        try {
          exec('ROLLBACK');
        } catch {
          // There was no transaction: the first versions do not tell.
        }
      },
      close() {
        if (isOpen) database.close();
        isOpen = false;
      },
    };
  };
}

/** Some versions warn that the module may change. */
function loadQuietly(): NodeSqlite {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return requirePackage('node:sqlite') as NodeSqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const GIVES_ROWS = /^\s*(?:select|with|values|pragma|explain)\b|\breturning\b/i;
const IS_NUMBERED = /\?\d/;

function toStatement(sql: string, statement: NodeStatement): SqliteStatement {
  // The first versions bind numbered values by name only.
  const bound = IS_NUMBERED.test(sql) ? byName : inOrder;
  return {
    reader: GIVES_ROWS.test(sql),
    run: (...values) => named(() => statement.run(...bound(values))),
    get: (...values) => named(() => statement.get(...bound(values))),
    all: (...values) => named(() => statement.all(...bound(values))),
    iterate: (...values) => statement.iterate(...bound(values)),
  };
}

function inOrder(values: readonly unknown[]): readonly unknown[] {
  return Array.isArray(values[0]) ? values[0] : values;
}

function byName(values: readonly unknown[]): readonly unknown[] {
  return [Object.fromEntries(inOrder(values).map((value, index) => [`?${index + 1}`, value]))];
}

/** SQLite's names of the results that callers tell apart, by number. */
const CODES: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/** Gives what SQLite refuses its code. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    // The low byte is the result, the others say more of it.
    if (errcode !== undefined)
      Object.assign(error as Error, { code: CODES[errcode & 0xff] ?? 'SQLITE_ERROR' });
    throw error;
  }
}

export type Prepare = (sql: string) => SqliteStatement;
