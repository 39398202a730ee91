/** Reads one domain a line; a leading `*.` or `.` is the root itself. */
import { createDomainReader } from '../../domains/canonical-domain.ts';
import type { FeedRows } from '../feed-rows.ts';
import { readLines } from '../lines.ts';

const LONGEST = 1000;

export function readDomains(text: string, rows: FeedRows): void {
  const reader = createDomainReader();
  for (const line of readLines(text)) {
    // Longer than any name in any script: what a document without line ends would cost to look at.
    rows.take(line.length > LONGEST ? undefined : reader.read(line.replace(/^\*?\./, '')), line);
  }
}
