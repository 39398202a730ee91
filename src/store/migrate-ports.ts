/** The port for moving an installation from one database to another: rows as both sides mean them, and where a move stands. */
import type { LogTable, TransferTable } from './migrate-tables.ts';

/** `time`: milliseconds since the epoch. `numbers`: single precision. */
export type Kind = 'text' | 'number' | 'flag' | 'time' | 'numbers';

/** Texts are as they are stored: escaped or not. */
export type Cell = string | number | boolean | null | readonly number[];

/** In the order of its table's columns. */
export type MigrationRow = readonly Cell[];

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

/** A place in the log, by order of commit; `seq` 0 and no id before the first assessment. */
export interface LogPlace {
  readonly seq: number;
  readonly requestId: string;
}

/** Assessments and their documents, in order of commit. */
export interface MigrationPage {
  readonly rows: Readonly<Record<LogTable, readonly MigrationRow[]>>;
  readonly last: LogPlace;
}

export type LogColumns = Readonly<Record<LogTable, readonly Column[]>>;

/** What grows whenever an installation is in use: two that are equal were not used in between. */
export interface StoreFingerprint {
  /** Of the newest assessment. */
  readonly seq: number;
  readonly audit: number;
  readonly directoryVersion: number;
  readonly listsVersion: number;
}

/** How far a move has come, kept where it moves to, together with what it moved. */
export interface MoveState {
  readonly checkpoint: LogPlace;
  /** What the move itself left behind. */
  readonly sourceFingerprint: StoreFingerprint;
}

/** Where an installation moves from. Nothing is ever written to it. */
export interface TransferSource {
  /** The names of a table's columns, those that follow from others included. */
  columns(table: string): ReadonlySet<string>;
  fingerprint(): StoreFingerprint;
  ids(table: 'accounts' | 'auth_users'): readonly string[];
  /** Request id of an assessment; `undefined` where there is none. */
  idAt(seq: number): string | undefined;
  /** The log after one place and up to another; `undefined` when there is none. */
  logAfter(columns: LogColumns, after: number, upTo: number, limit: number): MigrationPage | undefined;
  /** The rows of a table, some at a time. */
  state(table: TransferTable, columns: readonly Column[]): Iterable<readonly MigrationRow[]>;
  count(table: string): number;
  /** All reading by `work` sees one moment. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Another number after any change by anybody. */
  changeMark(): number;
  close(): void;
}

/** Where an installation moves to. */
export interface TransferTarget {
  columns(table: string): Promise<readonly Column[]>;
  fingerprint(): Promise<StoreFingerprint>;
  /** Ids of a table that are not among those given. */
  unknownRows(table: 'accounts' | 'auth_users', known: readonly string[]): Promise<readonly string[]>;
  /** `undefined` before the first move. */
  state(): Promise<MoveState | undefined>;
  /** The secret that addresses are hashed with: kept whole, or only so that it can be told from others. @throws when it has another */
  keepSecret(secret: Buffer, whole: boolean): Promise<void>;
  /** In one transaction: adds to the log, and notes where the move stands. */
  append(columns: LogColumns, page: MigrationPage, state: MoveState): Promise<void>;
  /** In one transaction: makes tables what is given, touching only what differs, and notes where the move stands. */
  replace(tables: Iterable<StateRows>, state: MoveState): Promise<void>;
  /** What is stored of a table, in no order. */
  readBack(table: string, columns: readonly Column[]): AsyncIterable<readonly MigrationRow[]>;
  /** Lets the server learn what its tables hold now. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface StateRows {
  readonly table: TransferTable;
  readonly columns: readonly Column[];
  readonly pages: Iterable<readonly MigrationRow[]>;
}
