/** Reads Spamhaus's lists: one JSON object a line, the last of which describes the list itself, or the older text form. */
import { splitLines } from '../platform/text-lines.ts';
import { member } from './feed-formats-json.ts';
import { readAddresses } from './feed-formats-text.ts';
import type { FeedRows } from './feed-rows.ts';

export function readSpamhausCidrs(text: string, rows: FeedRows): void {
  if (!text.trimStart().startsWith('{')) {
    readAddresses(text, rows);
    return;
  }
  for (const [row, line] of readObjects(text)) {
    if (row === undefined) rows.refuse(line);
    else rows.takeBlock(member(row, 'cidr') ?? line);
  }
}

export function readSpamhausAsns(text: string, rows: FeedRows): void {
  for (const [row, line] of readObjects(text)) rows.takeAsn(member(row, 'asn') as number, line);
}

/** Every line that is not the list's own description, with its content; `undefined` if it is not JSON. */
function* readObjects(text: string): Generator<readonly [row: unknown, line: string]> {
  for (const line of splitLines(text)) {
    if (line.trim() === '') continue;
    const row = parseLine(line);
    if (member(row, 'type') !== 'metadata') yield [row, line.trim()];
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
