/** Copies an installation table by table, then compares both sides: tables that an earlier run finished are only compared. */
import {
  createTableDigest,
  type TableColumn,
  type TableDigest,
  type TableRow,
  toLine,
} from './migrate-row-lines.ts';

/** Rows are only ever added to it, in order of `seq`. */
export const HISTORY_TABLE = 'assessments';

/** Tables of all else, small beside the history. Each comes after the tables that it refers to. */
export const STATE_TABLES = [
  'accounts',
  'account_deletions',
  'keys',
  'hooks',
  'manage_tokens',
  'policies',
  'list_entries',
  'list_removals',
  'campaigns',
  'campaign_reports',
  'attack_actions',
  'recall_runs',
  'recalled_signups',
  'feed_flips',
  'provider_connections',
  'takeback_jobs',
  'takeback_accounts',
  'appeals',
  'outcomes',
  'mailbox_addresses',
  'usual_domains',
  'alerts',
  'mail_host_decisions',
  'auth_users',
  'auth_sessions',
  'auth_credentials',
  'auth_verifications',
  'auth_two_factors',
  'oidc_identities',
  'memberships',
  'saved_filters',
  'invitations',
  'audit',
  'credits',
  'feedback',
  'challenges',
  'idempotency',
  'knowledge',
  'hash_keys',
  'erasures',
  'events',
  'event_destinations',
  'event_deliveries',
  'meta',
] as const;

/** An installation as of one moment. Nothing is written to it. */
export interface MigrationSource {
  columnNames(table: string): ReadonlySet<string>;
  count(table: string): number;
  /** All rows of a table; those of the history in order of `seq`. */
  rows(table: string): Iterable<TableRow>;
  ids(table: 'accounts' | 'auth_users'): readonly string[];
  /** `undefined` where there is no such assessment. */
  requestIdAt(seq: number): string | undefined;
}

export interface MigrationTarget {
  columns(table: string): Promise<readonly TableColumn[]>;
  /** `seq` of the newest assessment; 0 where there is none. */
  newestSeq(): Promise<number>;
  /** Removes all rows, in the order of the tables. */
  empty(tables: readonly string[]): Promise<void>;
  /** Appends rows in one transaction. @param requestIds of these rows, where they have any */
  append(rows: TableLines, requestIds: readonly string[]): Promise<void>;
  /** @param onRow called for each row */
  digest(table: string, columns: readonly TableColumn[], onRow: () => void): Promise<TableDigest>;
  /** Lets services use the target, and number their rows after those: it was found to be the same as the source. */
  finish(): Promise<void>;
}

export interface TableLines {
  readonly table: string;
  readonly columns: readonly TableColumn[];
  readonly lines: readonly Buffer[];
}

export interface MigrationProgress {
  readonly stage: 'copied' | 'compared';
  readonly table: string;
  /** Rows. */
  readonly done: number;
  readonly total: number;
}

export interface MigrationOptions {
  readonly source: MigrationSource;
  readonly target: MigrationTarget;
  readonly onProgress: (progress: MigrationProgress) => void;
}

export interface MigrationResult {
  /** Assessments that this run copied. */
  readonly added: number;
  readonly tables: readonly NamedDigest[];
}

interface NamedDigest extends TableDigest {
  readonly table: string;
}

/** Bytes copied in one transaction. */
const BATCH_BYTES = 4_194_304;
const PROGRESS_ROWS = 1_000;

/** @throws when the target has other content afterwards */
export async function copyInstallation(options: MigrationOptions): Promise<MigrationResult> {
  const { target } = options;
  const state: NamedDigest[] = [];
  for (const table of STATE_TABLES) {
    const { digest } = await copyRows(options, table, () => false);
    if ((await compare(options, [digest])).length > 0) break;
    state.push(digest);
  }
  // Rows refer to rows of earlier tables: from the first unfinished one on, all are copied again.
  const unfinished = STATE_TABLES.slice(state.length);
  const copied: NamedDigest[] = [];
  await target.empty(unfinished.toReversed());
  for (const table of unfinished) copied.push((await copyRows(options, table, () => true)).digest);
  const last = await target.newestSeq();
  const history = await copyRows(options, HISTORY_TABLE, ({ seq }) => (seq as number) > last);
  const differences = await compare(options, [history.digest, ...copied]);
  if (differences.length > 0)
    throw new Error(
      `the database differs from this installation in ${differences.join(', ')}: empty it and run this again`,
    );
  await target.finish();
  return { added: history.added, tables: [history.digest, ...state, ...copied] };
}

/** Reads all rows of a table, and copies those that are to be copied. */
async function copyRows(options: MigrationOptions, table: string, isCopied: (row: TableRow) => boolean) {
  const { source, target, onProgress } = options;
  const columns = await sharedColumns(options, table);
  const digest = createTableDigest();
  const total = source.count(table);
  let [done, added, bytes] = [0, 0, 0];
  let [lines, requestIds]: [Buffer[], string[]] = [[], []];
  const append = async () => {
    await target.append({ table, columns, lines }, requestIds);
    [bytes, lines, requestIds] = [0, [], []];
  };
  for (const row of source.rows(table)) {
    const line = toLine(row, columns);
    digest.add(line);
    if (isCopied(row)) {
      added += 1;
      bytes += line.length;
      lines.push(line);
      if (typeof row.request_id === 'string') requestIds.push(row.request_id);
    }
    if (bytes >= BATCH_BYTES) await append();
    done += 1;
    if (done % PROGRESS_ROWS === 0) onProgress({ stage: 'copied', table, done, total });
  }
  if (bytes > 0) await append();
  return { added, digest: { table, ...digest.end() } };
}

/** Columns that only the target has, it fills by itself. */
async function sharedColumns({ source, target }: MigrationOptions, table: string) {
  const names = source.columnNames(table);
  return (await target.columns(table)).filter(({ name }) => names.has(name));
}

/** Reads tables of the target whole. Gives a few words on each that differs. */
async function compare(options: MigrationOptions, expected: readonly NamedDigest[]): Promise<string[]> {
  const { target, onProgress } = options;
  const differences: string[] = [];
  for (const { table, rows, hash } of expected) {
    let done = 0;
    const found = await target.digest(table, await sharedColumns(options, table), () => {
      done += 1;
      if (done % PROGRESS_ROWS === 0) onProgress({ stage: 'compared', table, done, total: rows });
    });
    if (found.rows !== rows) differences.push(`${table} (${found.rows} rows instead of ${rows})`);
    else if (found.hash !== hash) differences.push(`${table} (other content)`);
  }
  return differences;
}
