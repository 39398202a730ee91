/** Reads the first field of each row of a geofeed (RFC 8805): the block. */
import type { FeedRows } from './feed-rows.ts';
import { readLines } from './lines.ts';

export function readGeofeed(text: string, rows: FeedRows): void {
  for (const line of readLines(text)) {
    const comma = line.indexOf(',');
    // Mirrors often keep the blocks and drop the places; the block is all that is wanted here.
    rows.takeBlock(comma < 0 ? line : line.slice(0, comma).trim());
  }
}
