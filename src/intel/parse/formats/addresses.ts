/** Reads one address or block a line, alone or with the number of lists that hold it. */
import type { FeedRows } from '../feed-rows.ts';
import { readLines } from '../lines.ts';

const MARKS = /[#;]/;

export function readAddresses(text: string, rows: FeedRows): void {
  for (const line of readLines(text, MARKS)) rows.takeBlock(line);
}

/** Address, white space, number of lists. A row without its number is an error: it would weigh wrongly. */
export function readCountedAddresses(text: string, rows: FeedRows): void {
  for (const line of readLines(text, MARKS)) {
    const [, block, level] = /^(\S+)\s+([1-9]\d{0,3})$/.exec(line) ?? [];
    if (block === undefined) rows.refuse(line);
    else rows.takeBlock(block, Number(level));
  }
}
