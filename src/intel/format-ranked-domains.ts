/** Reads a ranking of domains: `rank,domain` rows, or CSV whose header says which column has the domain; the first 100,000 count. */
import { createDomainReader } from './domain-name.ts';
import type { FeedRows } from './feed-rows.ts';
import { readLines } from './text-lines.ts';

/** Beyond it a rank says little, and is cheap to buy. */
const RANKS = 100_000;
const PLAIN_COLUMN = 1;
const RANK = /^[1-9]\d{0,8}$/;
/** Rankings name suffixes and hosts as well; what is at least a host name is passed over, not an error. */
const HOST = /^[a-z0-9_](?:[a-z0-9._-]{0,252})$/i;

export function readRankedDomains(text: string, rows: FeedRows): void {
  const reader = createDomainReader();
  let column = -1;
  for (const line of readLines(text)) {
    const fields = line.split(',', MAX_FIELDS).map((field) => field.replace(/^"(.*)"$/, '$1').trim());
    if (column < 0) {
      const named = fields.findIndex((field) => field.toLowerCase() === 'domain');
      column = named < 0 ? PLAIN_COLUMN : named;
      if (named >= 0) continue;
    }
    const [rank = ''] = fields;
    const domain = fields[column] ?? '';
    if (!RANK.test(rank) || !HOST.test(domain)) rows.refuse(line);
    else if (Number(rank) > RANKS) return;
    else {
      const name = reader.read(domain);
      if (name !== undefined) rows.take(name, line);
    }
  }
}

const MAX_FIELDS = 16;
