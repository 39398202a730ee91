/** Prints a command's result: JSON for programs, a small table for people. */
import { Command } from 'commander';

export type OutputRow = Record<string, unknown>;

interface OutputOptions {
  readonly json?: true;
}

const JSON_HELP = 'print JSON; also the default if the output is not a terminal';

/** A command with the `--json` option that every command has. */
export function command(name: string, description: string, jsonHelp = JSON_HELP): Command {
  return new Command(name).description(description).option('--json', jsonHelp);
}

/** True when the result is for a program: with `--json`, or when the output is piped. */
export function wantsJson({ json }: OutputOptions): boolean {
  return json === true || process.stdout.isTTY !== true;
}

/** Prints one thing as `name  value` lines. */
export function printOne(row: OutputRow, options: OutputOptions): void {
  if (wantsJson(options)) {
    printJson(row);
    return;
  }
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  for (const [name, value] of Object.entries(row)) printLine(`${name.padEnd(width)}  ${toText(value)}`);
}

/** Prints many things as a table, or what to do when there is none. */
export function printMany(rows: readonly OutputRow[], options: OutputOptions, empty: string): void {
  const [first] = rows;
  if (wantsJson(options) || first === undefined) {
    if (wantsJson(options)) printJson(rows);
    else printLine(empty);
    return;
  }
  const names = Object.keys(first);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => toText(row[name]).length)));
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd();
  printLine(line(names));
  for (const row of rows) printLine(line(names.map((name) => toText(row[name]))));
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value));
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
