/** Writes a row of a CSV file (RFC 4180) that a spreadsheet reads as text, never as a formula. */

type CsvValue = string | number | boolean | null | readonly string[];

/**
 * Places where a spreadsheet may read a formula: at the beginning of a cell, and after a character that some spreadsheets
 * take as the end of a cell, with or without a quotation mark between them.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n])[ "]*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** Line with its end. `null` is an empty cell, a list its words with spaces between them. */
export function toCsvRow(values: readonly CsvValue[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? value.join(' ') : String(value);
  const safe = text.replace(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
