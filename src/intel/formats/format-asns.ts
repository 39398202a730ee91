/** Reads one AS number a line, with whatever its publisher notes beside it. */
import type { FeedRows } from './feed-rows.ts';
import { readLines } from './lines.ts';

export function readAsnLines(text: string, rows: FeedRows): void {
  for (const line of readLines(text)) {
    rows.takeAsn(Number(/^AS([1-9]\d{0,9})(?:\s|$)/i.exec(line)?.[1]), line);
  }
}
