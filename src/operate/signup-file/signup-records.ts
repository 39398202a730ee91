/** Reads a stream of CSV or of JSON lines as records of signups, whatever the separator, line ends and order of columns. */
import { csvParser } from './signup-csv.ts';
import { jsonParser } from './signup-json.ts';
import type { ChooseColumns, ParsedLine, ParseLine } from './signup-parser.ts';

const BYTE_ORDER_MARK = '\uFEFF';
/** No field of a signup is so long: a quote that nothing closes. */
const MAX_RECORD_CHARACTERS = 16_384;

/** Excel writes it before the header. */
const SEPARATOR_LINE = /^sep=.?$/i;
/** First characters of ZIP, which is what spreadsheets are, and of gzip. */
const COMPRESSED = ['PK\u0003\u0004', '\u001F'];

/** Gives the records of each chunk together: one at a time would cost more than reading them. */
export async function* readSignupRecords(
  chunks: AsyncIterable<string>,
  choose: ChooseColumns,
): AsyncGenerator<readonly ParsedLine[]> {
  const parser = createLineParser(choose);
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    yield lines.flatMap(parser.read);
  }
  yield [...parser.read(rest), ...parser.end()];
}

function createLineParser(choose: ChooseColumns) {
  let parse: ParseLine | undefined;
  let line = 0;
  /** A record whose quoted field continues in the next line. */
  let open: { readonly line: number; readonly text: string } | null = null;

  function read(raw: string): ParsedLine[] {
    line += 1;
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (parse !== undefined) return text === '' && open === null ? [] : readRecord(parse, text);
    const first = text.replace(BYTE_ORDER_MARK, '').trim();
    if (first === '' || SEPARATOR_LINE.test(first)) return [];
    refuseOther(first);
    if (!first.startsWith('{')) {
      parse = csvParser(first, choose);
      return [];
    }
    parse = jsonParser(first, choose);
    return readRecord(parse, first);
  }

  function readRecord(parser: ParseLine, text: string): ParsedLine[] {
    const record = open === null ? { line, text } : { line: open.line, text: `${open.text}\n${text}` };
    const parsed = parser(record.text, record.line);
    if (parsed !== 'unfinished') {
      open = null;
      return [parsed];
    }
    open = record;
    return record.text.length > MAX_RECORD_CHARACTERS ? giveUp() : [];
  }

  /** The line with the quote is unreadable; the lines after it are read again as lines. */
  function giveUp(): ParsedLine[] {
    if (open === null) return [];
    const [, ...later] = open.text.split('\n');
    const unreadable = { line: open.line, problem: 'a quoted field is never closed' };
    line = open.line;
    open = null;
    return [unreadable, ...later.flatMap(read)];
  }

  function end(): ParsedLine[] {
    const left: ParsedLine[] = [];
    while (open !== null) left.push(...giveUp());
    return left;
  }

  return { read, end };
}

/** @throws for a first line that is neither of CSV nor of JSON lines */
function refuseOther(first: string): void {
  if (COMPRESSED.some((sign) => first.startsWith(sign)))
    throw new Error(
      'this is a spreadsheet or a compressed file: save it as CSV UTF-8, or unpack it, and try again',
    );
  if (first.includes('\0')) throw new Error('this is UTF-16 text: save it as CSV UTF-8, and try again');
  if (/^\[\s*(?:\{|$)/.test(first))
    throw new Error(
      'this is one JSON array: write each of its objects in a line of its own, for example with jq -c ".[]"',
    );
}
