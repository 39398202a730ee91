/** Prints a command's result: JSON for programs, a small table for people; or the one line of its failure. */
import { Problem } from '../contract/problem.ts';
import { printable, printableLine } from '../platform/printable.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { adviseIfDamaged } from '../store/damaged-file.ts';
import { isStoreFailure } from '../store/store-failure.ts';

export type OutputRow = Record<string, unknown>;

/** Every command has these options; one excludes the other. */
export interface OutputOptions {
  readonly json?: true;
  readonly text?: true;
}

/** True when the result is for a program: with `--json`, or when the output is piped, without `--text`. */
export function wantsJson({ json, text }: OutputOptions): boolean {
  return json === true || (text !== true && process.stdout.isTTY !== true);
}

/** Prints one thing as `name  value` lines. */
export function printOne(row: OutputRow, options: OutputOptions, print = printLine): void {
  if (wantsJson(options)) {
    print(JSON.stringify(row));
    return;
  }
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  for (const [name, value] of Object.entries(row)) print(`${name.padEnd(width)}  ${toText(value)}`);
}

/** Prints nested data as `name: value` lines. */
export function printNested(value: unknown, indent = ''): void {
  for (const [name, member] of Object.entries(value as object)) {
    const isNested = typeof member === 'object' && member !== null && Object.keys(member).length > 0;
    printLine(
      `${indent}${Array.isArray(value) ? `${Number(name) + 1}` : name}:${isNested ? '' : ` ${toText(leaf(member))}`}`,
    );
    if (isNested) printNested(member, `${indent}  `);
  }
}

/** Value of a leaf: of an empty list or object, nothing. */
const leaf = (value: unknown) => (typeof value === 'object' ? null : value);

/** Prints many things as a table, or what to do when there is none. */
export function printMany(rows: readonly OutputRow[], options: OutputOptions, empty: string): void {
  const [first] = rows;
  if (wantsJson(options)) printJson(rows);
  else if (first === undefined) printLine(empty);
  else printTable(Object.keys(first), rows);
}

function printTable(names: readonly string[], rows: readonly OutputRow[]): void {
  const lines = [names, ...rows.map((row) => names.map((name) => toText(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((cells) => (cells[at] as string).length)));
  for (const cells of lines) {
    const padded = cells.map((cell, at) => cell.padEnd(widths[at] as number));
    printLine(padded.join('  ').trimEnd());
  }
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value));
}

export function printLine(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Prints a line of progress on stderr, beside the result. */
export function printProgress(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** A time in a row, from milliseconds since the epoch. */
export function toTime(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : printableLine(String(value));
}

/** Message of a failure: what went wrong, and what to do about it. */
export function failureLine(error: unknown): string {
  const line = describe(error as Error)
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
  return printable(line);
}

function describe(error: Error): string {
  const { message } = error;
  if (/\bdatabase is locked$/.test(message))
    return `${message}; another program has locked it (a backup, sqlite3): end that program, then run this again`;
  if (!(error instanceof Problem)) return adviseIfDamaged(message);
  // The usual texts of these problems are about requests.
  if (error.code === 'unavailable' && isStoreFailure(error))
    return 'the database was busy for too long, and nothing was changed: run this again when other work on it has ended';
  if (error.code === 'storage_full')
    return 'the disk is full, and nothing was changed: free space on the disk of the data folder or database, then run this again';
  const param = error.param === undefined ? '' : `${error.param}: `;
  return `${param}${message} ${error.resolution}`;
}
