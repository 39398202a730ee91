/** Writes rows of the log as CSV (RFC 4180) that a spreadsheet reads as text, whatever strangers put into it. */
import type { LogRow } from '../contract/dashboard-assessments.ts';

const COLUMNS = [
  'request_id',
  'at',
  'mode',
  'verdict',
  'score',
  'reasons',
  'email',
  'domain',
  'ip',
  'country_code',
  'asn',
  'key_id',
  'key_name',
  'session_id',
  'feedback',
] as const satisfies readonly (keyof LogRow)[];

/**
 * Where a spreadsheet may take what follows as a formula: at the beginning of a cell, and after what some of them take as
 * the end of one, a quotation mark between them or not.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])[ "]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

export function toCsvLine(row: LogRow): string {
  return `${COLUMNS.map((column) => cellOf(row[column])).join(',')}\r\n`;
}

function cellOf(value: LogRow[keyof LogRow]): string {
  if (value === null) return '';
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  const safe = text.replace(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
