/** Decides how text files are read: what counts as an entry of a list, and how CSV becomes rows. */

/** One entry a line; `#`, or a character of `marks`, opens a comment; blank lines are skipped. */
export function* readLines(text: string, marks = /#/): Generator<string> {
  for (const line of splitLines(text)) {
    const comment = line.search(marks);
    const entry = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (entry !== '') yield entry;
  }
}

/** `gmx.{at de}` → `gmx.at`, `gmx.de`: a group in braces is one name for each of its words. */
export function expandGroups(entry: string): string[] {
  const [, before = '', words, after = ''] = /^([^{}]*)\{([^{}]+)\}(.*)$/.exec(entry) ?? [];
  if (words === undefined) return [entry];
  return words
    .trim()
    .split(/\s+/)
    .flatMap((word) => expandGroups(`${before}${word}${after}`));
}

/** Line by line, so that a file with only line ends costs no more than its length. */
export function* splitLines(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, stop);
    at = stop + 1;
  }
}

/** One AS of a list, with the name the list gives it. */
export interface AsnEntry {
  readonly asn: number;
  readonly name: string;
}

/** `AS16509 Amazon`: number, then a name. @throws on a line that is not of that form */
export function* readAsns(text: string): Generator<AsnEntry> {
  for (const line of readLines(text)) {
    const match = /^AS(\d{1,10})(?:\s+(.+))?$/i.exec(line);
    if (match === null) throw new Error(`not an AS number: ${line}`);
    yield { asn: Number(match[1]), name: match[2] ?? '' };
  }
}

/** Rows as fields; empty lines are skipped. `separator`: one character. @throws when a quoted field is never closed */
export function* readCsv(text: string, separator = ','): Generator<string[]> {
  let at = 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, text[end - 1] === '\r' ? end - 1 : end);
    if (!line.includes('"')) {
      if (line !== '') yield line.split(separator);
      at = end + 1;
    } else {
      const row: string[] = [];
      at = readQuotedRow(text, at, row, separator);
      yield row;
    }
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Fills `row` with the fields from `from` on and returns where the next row starts. */
function readQuotedRow(text: string, from: number, row: string[], separator: string): number {
  let at = from;
  for (;;) {
    let field: string;
    if (text[at] === '"') {
      const close = closingQuote(text, at + 1);
      field = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    } else {
      const next = text.indexOf(separator, at);
      const end = lineEnd(text, at);
      const stop = next < 0 || next > end ? end : next;
      field = text.slice(at, stop).replace(/\r$/, '');
      at = stop;
    }
    row.push(field);
    if (text[at] !== separator) return lineEnd(text, at) + 1;
    at += 1;
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at < 0) throw new Error('a quoted field is never closed');
  return at;
}
