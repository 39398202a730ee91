/** Reads Google Cloud's ranges: each row has an IPv4 or an IPv6 prefix. */
import type { FeedRows } from './feed-rows.ts';
import { listIn, member } from './json-document.ts';

export function readGcp(text: string, rows: FeedRows): void {
  for (const row of listIn(JSON.parse(text), 'prefixes')) {
    const block = member(row, 'ipv4Prefix') ?? member(row, 'ipv6Prefix');
    if (block === undefined) rows.refuse(row);
    else rows.takeBlock(block);
  }
}
