/** The port for the SQL that both databases run. SQL that only one of them can run, or runs much faster, is in the folder of that database. */
import type { AuditEntries } from './audit-store.ts';
import type { HostDecisionStore } from './dashboard-store.ts';
import type { RuleVersions } from './rule-change-store.ts';
import type { AccountStore, ListStore, UsedTable, VersionedData } from './store.ts';

export type SqlValue = string | number | null;

/** `$1` is the first value. Names with capitals are quoted; a flag is 0 or 1, a time of sign-in an ISO text. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Statements whose last one has RETURNING: no row means that nothing changed, and then no audit entry is stored. */
export interface SqlChange {
  readonly audit: AuditEntries;
  readonly statements: readonly SqlStatement[];
}

export interface SqlDatabase {
  /** One read. PostgreSQL plans a statement that has a name only once for each connection. */
  query<Row extends object>(
    sql: string | { readonly name: string; readonly text: string },
    values?: readonly SqlValue[],
  ): Promise<Row[]>;
  /**
   * Runs statements in one transaction. The last one has RETURNING and gives the result: no row means that nothing
   * changed, and then no audit entry is stored.
   */
  change<Row extends object>(audit: AuditEntries, ...statements: readonly SqlStatement[]): Promise<Row[]>;
  /** Runs several changes, each with its own audit entries, in one transaction: all of them, or none. */
  changeAll(changes: readonly SqlChange[]): Promise<void>;
  /** The statements before those that use `newVersion`. */
  nextVersion(of: VersionedData): readonly SqlStatement[];
  /** The new version of the rows that a statement changes, as an expression. */
  newVersion(of: VersionedData): string;
  /** This database, whose changes are made only while the data has this version, which the same transaction checks. @throws StaleVersion otherwise */
  at(of: VersionedData, version: number): SqlDatabase;
  /** The same for the directory and the lists, which decide about signups together. @param locks as `lock` takes them */
  atRules(versions: RuleVersions, locks: readonly string[]): SqlDatabase;
  /** This database, whose changes are made only if a query gives a row, which the same transaction asks after these locks. @throws StaleVersion otherwise */
  when(condition: SqlStatement, locks: readonly string[]): SqlDatabase;
  /** Lets transactions that begin with the same name, such as the address of a user, run one after the other. */
  lock(name: string): readonly SqlStatement[];
}

/** Changes of many rows at once, which each database makes in its own way. */
export type BulkUpdates = Pick<AccountStore, 'storeLastUses'> &
  Pick<ListStore, 'addListHits'> &
  Pick<HostDecisionStore, 'decideHosts'>;

/** Columns by which the uses of each table are noted, with those of the time. A key has two secrets while it is rotated. */
export const USES: Readonly<Record<UsedTable, readonly (readonly [id: string, usedAt: string])[]>> = {
  keys: [
    ['hash', 'last_used_at'],
    ['previous_hash', 'previous_used_at'],
  ],
  hooks: [['id', 'last_used_at']],
  manage_tokens: [['id', 'last_used_at']],
};

/** Nothing was changed: the data that the change was decided on has another version by now. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion';
}

/** Condition of a change: it gives a row while the data has this version. */
export function ifVersion(of: VersionedData, version: number): SqlStatement {
  return { sql: 'SELECT value FROM meta WHERE name = $1 AND value = $2', values: [`${of}_version`, version] };
}

/** Condition of a change of several accounts' rules. PostgreSQL locks both rows. */
export function ifRulesAre({ directory, lists }: RuleVersions): SqlStatement {
  return {
    sql: `SELECT d.value FROM meta AS d JOIN meta AS l ON l.name = 'lists_version' AND l.value = $2
      WHERE d.name = 'directory_version' AND d.value = $1`,
    values: [directory, lists],
  };
}

/** The latest version, as an expression. */
export function currentVersion(of: VersionedData): string {
  return `(SELECT value FROM meta WHERE name = '${of}_version')`;
}

export async function readVersion({ query }: Pick<SqlDatabase, 'query'>, of: VersionedData): Promise<number> {
  const text = `SELECT value FROM meta WHERE name = '${of}_version'`;
  const [row] = await query<{ value: number }>({ name: `gatehouse_${of}_version`, text });
  return (row as { value: number }).value;
}

/**
 * Inserts one row, given by column.
 * @param version expression of `newVersion`
 * @param rest what follows the values, from WHERE on
 */
export function insertVersioned(
  table: string,
  row: Readonly<Record<string, SqlValue>>,
  version: string,
  rest: string,
): SqlStatement {
  const columns = Object.keys(row);
  const values = columns.map((_, at) => `$${at + 1}`);
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}, version)
      SELECT ${values.join(', ')}, ${version} ${rest}`,
    values: Object.values(row),
  };
}

/** A time as the sign-in library writes it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
