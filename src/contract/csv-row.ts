/** Writes a row of a CSV file (RFC 4180) that a spreadsheet reads as text, never as a formula. */

type CsvValue = string | number | boolean | null | readonly string[];

/**
 * Places where a spreadsheet may read a formula: at the beginning of a cell, and after a character that some spreadsheets
 * take as the end of a cell, with or without a quotation mark between them. Reads each space once: a cell may be a session
 * id of 64 KiB of them.
 */
const FORMULA = /((?:^|[;\t\r\n])[ "]*)(?=[=+\-@＝＋－＠])/g;
const CONTROL = /^(?=[\t\r\n])/;

/** Line with its end. `null` is an empty cell, a list its words with spaces between them. */
export function toCsvRow(values: readonly CsvValue[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? value.join(' ') : String(value);
  const safe = text.replace(FORMULA, "$1'").replace(CONTROL, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
