/** Keeps sessions that begin while the disk is full in memory until they can be stored, so that people can still sign in and find the cause. */
import { openSqlite } from '../../sqlite-driver.ts';
import { type EndedSessions, endStatement } from '../sessions.ts';
import type { SqlStatement, SqlValue } from '../sql-database.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteRow, StatementResult } from './jobs.ts';
import { migrate } from './migrate.ts';
import { toSqlite } from './sql-database.ts';

export interface UnstoredSignIns {
  /** Rows of the database, replaced by the versions kept here. */
  merge(select: SqlStatement, stored: readonly SqliteRow[]): readonly SqliteRow[];
  /** Applies a write to the rows kept here; `undefined` if it changes none of them. */
  write(statement: SqlStatement): BufferedWrite | undefined;
  /** Applies here a write that the database could not take; `undefined` if only the database can take it. */
  writeInstead(statement: SqlStatement): StatementResult | undefined;
  /**
   * Ends sessions kept here, even if `work`, which ends the stored ones, fails. Nothing is submitted meanwhile, and
   * earlier jobs are committed first, so `work` finds all stored rows.
   */
  whileEnding<T>(ended: EndedSignIns, work: () => PromiseLike<T>): Promise<T>;
  /** Tries a last time to store everything kept here. */
  close(): Promise<void>;
}

export interface BufferedWrite {
  readonly result: StatementResult;
  /** The database may have the rows too, or receive them soon: it needs the same write. */
  readonly maybeStored: boolean;
}

export interface EndedSignIns extends EndedSessions {
  /** Also sign-ins that wait for the second factor. */
  readonly halfDone?: boolean;
}

export interface UnstoredSignInsOptions {
  readonly reads: SqliteConnection;
  readonly submit: (job: { statements: readonly SqlStatement[] }) => PromiseLike<unknown>;
  readonly onFault: (error: Error) => void;
  /** How often to try to store them. */
  readonly everyMs?: number;
}

/** Sessions, and sign-ins that wait for the second factor. */
const KEPT = /^(insert into|update|delete from) "(auth_sessions|auth_verifications)"/;
const TABLES = ['auth_sessions', 'auth_verifications'] as const;
/** Each row needs a correct password, so more than this is no normal use. */
const MAX_ROWS = 1_000;
const EVERY_MS = 1_000;
const END_HALF_DONE = 'DELETE FROM auth_verifications WHERE value = ?';

interface KeptRow {
  readonly table: (typeof TABLES)[number];
  readonly row: SqliteRow;
}

export function createUnstoredSignIns(options: UnstoredSignInsOptions): UnstoredSignIns {
  const { reads } = options;
  const kept = createKeptRows();
  const storing = createStoring(kept, options);

  return {
    merge(select, stored) {
      if (!kept.isOpen() || !/\bauth_(?:sessions|verifications)\b/.test(select.sql)) return stored;
      const { rows } = kept.run(select);
      const ids = new Set(rows.map(({ id }) => id));
      return [...rows, ...stored.filter(({ id }) => !ids.has(id as SqlValue))];
    },
    write(statement) {
      const [, verb, table] = KEPT.exec(statement.sql) ?? [];
      if (!kept.isOpen() || table === undefined || verb === 'insert into') return undefined;
      const rows = kept.rowsOf(table, statement);
      const result = kept.run(statement);
      // The whole updated row is stored later, after the version that may be under way.
      if (verb === 'update') return result.changes > 0 ? { result, maybeStored: false } : undefined;
      const maybeStored = rows.some(storing.isSent) || rowsOf(reads, table, statement).length > 0;
      return { result, maybeStored };
    },
    writeInstead(statement) {
      const [, verb, table] = KEPT.exec(statement.sql) ?? [];
      if (table === undefined) return undefined;
      if (verb === 'delete from') {
        // Expired rows need no delete. A sign-out that cannot be stored must fail.
        const rows = rowsOf(reads, table, statement);
        const expired = rows.every(({ expiresAt }) => Date.parse(String(expiresAt)) < Date.now());
        return expired ? { rows, changes: rows.length } : undefined;
      }
      if (kept.all().length >= MAX_ROWS) return undefined;
      if (verb === 'update') for (const row of rowsOf(reads, table, statement)) kept.run(insert(table, row));
      storing.schedule();
      return kept.run(statement);
    },
    async whileEnding(ended, work) {
      kept.remove(ended);
      const resume = storing.pause();
      try {
        return await work();
      } finally {
        resume();
        // Also those that began meanwhile, with the old password.
        kept.remove(ended);
      }
    },
    async close() {
      await storing.close();
      kept.close();
    },
  };
}

/** Rows in an in-memory database of the same schema, opened for the first row. */
function createKeptRows() {
  let memory: SqliteConnection | undefined;

  function open(): SqliteConnection {
    if (memory !== undefined) return memory;
    memory = openSqlite(':memory:');
    migrate(memory);
    memory.pragma('foreign_keys = OFF');
    return memory;
  }

  function run({ sql, values }: SqlStatement): StatementResult {
    const statement = open().prepare(sql);
    if (!statement.reader) return { rows: [], changes: statement.run(values).changes };
    const rows = statement.all(values) as SqliteRow[];
    return { rows, changes: rows.length };
  }

  return {
    isOpen: () => memory !== undefined,
    run,
    all: (): KeptRow[] =>
      TABLES.flatMap((table) =>
        ((memory?.prepare(`SELECT * FROM ${table}`).all() ?? []) as SqliteRow[]).map((row) => ({
          table,
          row,
        })),
      ),
    rowsOf: (table: string, statement: SqlStatement) => rowsOf(open(), table, statement),
    remove(ended: EndedSignIns): void {
      if (memory === undefined) return;
      run(toSqlite(endStatement(ended)));
      if (ended.halfDone === true) run({ sql: END_HALF_DONE, values: [ended.userId] });
    },
    close(): void {
      memory?.close();
      memory = undefined;
    },
  };
}

/** Retries storing the kept rows, and drops those that are stored. */
function createStoring(kept: ReturnType<typeof createKeptRows>, options: UnstoredSignInsOptions) {
  /** Ids of rows that were submitted, but not confirmed: they may be stored. */
  const sent = new Set<unknown>();
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  let reported = '';

  /** Rows that changed or came meanwhile stay for the next flush. */
  async function flush(): Promise<void> {
    const rows = kept.all();
    if (rows.length === 0 || pauses > 0) return;
    for (const { row } of rows) sent.add(row.id);
    try {
      await options.submit({ statements: rows.map(store) });
      reported = '';
    } catch (error) {
      // The same fault is reported once.
      const { message } = error as Error;
      if (message !== reported)
        options.onFault(new Error(`sessions kept in memory are not stored: ${message}`));
      reported = message;
      return;
    }
    const now = new Map(kept.all().map(({ row }) => [row.id, row]));
    for (const { table, row } of rows) {
      if (JSON.stringify(now.get(row.id as SqlValue)) === JSON.stringify(row))
        kept.run({ sql: `DELETE FROM ${table} WHERE id = ?`, values: [row.id as SqlValue] });
      sent.delete(row.id);
    }
  }

  function flushNow(): Promise<void> {
    flushing ??= flush()
      .catch(options.onFault)
      .then(() => {
        flushing = undefined;
      });
    return flushing;
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      void flushNow().then(() => {
        timer = undefined;
        if (kept.all().length > 0) schedule();
      });
    }, options.everyMs ?? EVERY_MS).unref();
  }

  return {
    isSent: ({ id }: SqliteRow) => sent.has(id),
    schedule,
    /** Nothing is submitted until the returned function is called. */
    pause(): () => void {
      pauses += 1;
      return () => {
        pauses -= 1;
      };
    },
    /** Tries one last time. */
    async close(): Promise<void> {
      clearTimeout(timer);
      await flushing;
      await flushNow();
    },
  };
}

/** The rows that an update or a delete affects. */
function rowsOf(from: SqliteConnection, table: string, { sql, values }: SqlStatement): SqliteRow[] {
  const at = sql.indexOf(' where ');
  if (at < 0) return [];
  const where = sql.slice(at).replace(/ returning .*$/, '');
  const before = sql.slice(0, at).split('?').length - 1;
  return from.prepare(`SELECT * FROM ${table}${where}`).all(values.slice(before)) as SqliteRow[];
}

/** Skips a session whose user was deleted: its foreign key would fail the whole batch. */
function store({ table, row }: KeptRow): SqlStatement {
  const { sql, values } = insert(table, row);
  if (table !== 'auth_sessions') return { sql, values };
  const isUser = 'EXISTS (SELECT 1 FROM auth_users WHERE id = ?)';
  return { sql: `${sql} WHERE ${isUser}`, values: [...values, row.userId as SqlValue] };
}

function insert(table: string, row: SqliteRow): SqlStatement {
  const names = Object.keys(row);
  return {
    sql: `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) SELECT ${names.map(() => '?').join(', ')}`,
    values: Object.values(row) as SqlValue[],
  };
}
