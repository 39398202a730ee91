/** Reads one domain a line; a leading `*.` or `.` says that the names below it are meant as well. */
import { createDomainReader } from '../domains/canonical-domain.ts';
import { WILDCARD } from '../feeds/feed.ts';
import type { FeedRows } from './feed-rows.ts';
import { readLines } from './lines.ts';

const LONGEST = 1000;

export function readDomains(text: string, rows: FeedRows): void {
  const reader = createDomainReader();
  for (const line of readLines(text)) {
    // Longer than any name in any script: what a document without line ends would cost to look at.
    const [, mark = '', name = ''] = line.length > LONGEST ? [] : (/^(\*?\.)?(.*)$/.exec(line) ?? []);
    const read = reader.read(name);
    rows.take(read !== undefined && mark !== '' ? WILDCARD + read : read, line);
  }
}
