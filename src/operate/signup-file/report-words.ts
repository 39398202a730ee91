/** The words that reports on a file of signups share: numbers, the columns that were read, and the rows that were not used. */
import type { SignupColumns } from './signup-parser.ts';
import type { UnusedRows } from './unused-rows.ts';

/** A column with an unusual name is easily missed: without the IP, a report says little. */
export function columnLines(columns: Partial<SignupColumns> | null): string[] {
  if (columns === null) return [];
  const parts = Object.entries(columns);
  const used = parts.flatMap(([part, name]) => (name === null ? [] : [`${part} “${name}”`]));
  const missing = parts.flatMap(([part, name]) => (name === null ? [part] : []));
  const hint =
    missing.length === 0
      ? ''
      : ` No column for ${missing.join(' and ')} was found: name it with --columns ${missing[0]}=NAME.`;
  return [`Columns: ${used.join(', ')}.${hint}`];
}

export function toUnusedLine({ problem, count: rows, first }: UnusedRows): string {
  const places = first.map(({ line, value }) =>
    value === null || value === '' ? `line ${line}` : `line ${line} “${value}”`,
  );
  const more = rows > first.length ? ', …' : '';
  return `${count(rows)} ${rows === 1 ? 'row was' : 'rows were'} not used: ${problem} (${places.join(', ')}${more}).`;
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;
}
