/** Reads Amazon's ranges: those of EC2, which is what hosts; the other services only repeat or front them. */
import type { FeedRows } from './feed-rows.ts';
import { listIn, member } from './json-document.ts';

export function readAws(text: string, rows: FeedRows): void {
  const document: unknown = JSON.parse(text);
  takeHosting(listIn(document, 'prefixes'), 'ip_prefix', rows);
  takeHosting(listIn(document, 'ipv6_prefixes'), 'ipv6_prefix', rows);
}

function takeHosting(list: readonly unknown[], name: string, rows: FeedRows): void {
  for (const row of list) {
    const service = member(row, 'service');
    if (typeof service !== 'string') rows.refuse(row);
    else if (service === 'EC2') rows.takeBlock(member(row, name));
  }
}
