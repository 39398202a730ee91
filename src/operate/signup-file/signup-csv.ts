/** Reads the lines of a CSV as signups; the header says which separator and which columns it has. */
import { readCsv } from '../../platform/text-lines.ts';
import type { ChooseColumns, ParseLine } from './signup-parser.ts';

const SEPARATORS = [',', ';', '\t', '|'];

/** @throws when a column is missing */
export function csvParser(header: string, choose: ChooseColumns): ParseLine {
  const cellsBy = (separator: string) => firstRow(header, separator) ?? [];
  const separator = SEPARATORS.reduce((best, next) =>
    cellsBy(next).length > cellsBy(best).length ? next : best,
  );
  const names = cellsBy(separator).map((name) => name.trim());
  const columns = choose(names);
  const placeOf = (name: string | null) => (name === null ? -1 : names.indexOf(name));
  const [email, ip, time, verdict] = [columns.email, columns.ip, columns.time, columns.verdict].map(placeOf);
  const needed = Math.max(email as number, ip as number, time as number, verdict as number) + 1;
  return (text, line) => {
    const cells = text.includes('"') ? firstRow(text, separator) : text.split(separator);
    if (cells === undefined) return 'unfinished';
    if (cells.length < needed) return { line, problem: 'the line has too few columns' };
    const cell = (place: number | undefined) => cells[place as number]?.trim() ?? '';
    return { line, email: cell(email), ip: cell(ip), time: cell(time), verdict: cell(verdict) };
  };
}

/** `undefined` if a quoted field is not closed. */
function firstRow(text: string, separator: string): string[] | undefined {
  try {
    return readCsv(text, separator).next().value as string[];
  } catch {
    return undefined;
  }
}
