/** Reads Oracle Cloud's ranges: blocks by region. */
import type { FeedRows } from './feed-rows.ts';
import { listIn, member } from './json-document.ts';

export function readOracle(text: string, rows: FeedRows): void {
  for (const region of listIn(JSON.parse(text), 'regions')) {
    for (const row of listIn(region, 'cidrs')) rows.takeBlock(member(row, 'cidr'));
  }
}
