/** Reads a list of open proxies: the address that comes out of each, since that is what signs up. */
import type { FeedRows } from './feed-rows.ts';
import { member } from './json-document.ts';

export function readProxies(text: string, rows: FeedRows): void {
  const document: unknown = JSON.parse(text);
  if (!Array.isArray(document)) throw new Error('the document is no list of proxies');
  for (const row of document) rows.takeBlock(member(row, 'exit_ip') || member(row, 'host'));
}
