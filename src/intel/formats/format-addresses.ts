/** Reads one address or block a line, alone or with the number of lists that hold it. */
import type { FeedRows } from './feed-rows.ts';
import { readLines } from './lines.ts';

const MARKS = /[#;]/;

export function readAddresses(text: string, rows: FeedRows): void {
  for (const line of readLines(text, MARKS)) rows.takeBlock(line);
}

/** What a row without a number counts for: such files hold the addresses of three lists or more (ipsum's `levels/3`). */
const BARE_LEVEL = 3;

/** Address, white space, number of lists. */
export function readCountedAddresses(text: string, rows: FeedRows): void {
  for (const line of readLines(text, MARKS)) {
    const [, block, level = BARE_LEVEL] = /^(\S+)(?:\s+([1-9]\d{0,3}))?$/.exec(line) ?? [];
    if (block === undefined) rows.refuse(line);
    else rows.takeBlock(block, Number(level));
  }
}
