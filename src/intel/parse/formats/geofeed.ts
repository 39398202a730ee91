/** Reads the first field of each row of a geofeed (RFC 8805): the block. */
import type { FeedRows } from '../feed-rows.ts';
import { readLines } from '../lines.ts';

export function readGeofeed(text: string, rows: FeedRows): void {
  for (const line of readLines(text)) {
    const comma = line.indexOf(',');
    // The block alone is no row of a geofeed: the country, even an empty one, has its place.
    if (comma < 0) rows.refuse(line);
    else rows.takeBlock(line.slice(0, comma).trim());
  }
}
