/** Decides how feeds of one entry a line are read: domains, addresses, AS numbers, geofeeds, rankings. */
import { readLines } from '../platform/text-lines.ts';
import { createDomainReader } from './domain-name.ts';
import { WILDCARD } from './feed.ts';
import type { FeedRows } from './feed-rows.ts';

const MAX_LINE = 1000;

/** One domain a line; a leading `*.` or `.` means the names below it as well. */
export function readDomains(text: string, rows: FeedRows): void {
  const reader = createDomainReader();
  for (const line of readLines(text)) {
    // Longer than any name in any script. Limits the cost of a document without line ends.
    const [, mark = '', name = ''] = line.length > MAX_LINE ? [] : (/^(\*?\.)?(.*)$/.exec(line) ?? []);
    const read = reader.read(name);
    rows.take(read !== undefined && mark !== '' ? WILDCARD + read : read, line);
  }
}

const MARKS = /[#;]/;

/** One address or block a line. */
export function readAddresses(text: string, rows: FeedRows): void {
  for (const line of readLines(text, MARKS)) rows.takeBlock(line);
}

/** Level of a row without a number: such files have the addresses that are on three lists or more (ipsum's `levels/3`). */
const BARE_LEVEL = 3;

/** Address, white space, number of lists. */
export function readCountedAddresses(text: string, rows: FeedRows): void {
  for (const line of readLines(text, MARKS)) {
    const [, block, level = BARE_LEVEL] = /^(\S+)(?:\s+([1-9]\d{0,3}))?$/.exec(line) ?? [];
    if (block === undefined) rows.refuse(line);
    else rows.takeBlock(block, Number(level));
  }
}

/** One AS number a line, followed by any note of the publisher. */
export function readAsnLines(text: string, rows: FeedRows): void {
  for (const line of readLines(text)) {
    rows.takeAsn(Number(/^AS([1-9]\d{0,9})(?:\s|$)/i.exec(line)?.[1]), line);
  }
}

/** The first field of each row of a geofeed (RFC 8805): the block. */
export function readGeofeed(text: string, rows: FeedRows): void {
  for (const line of readLines(text)) {
    const comma = line.indexOf(',');
    // Mirrors often keep the blocks and drop the places; only the block is needed here.
    rows.takeBlock(comma < 0 ? line : line.slice(0, comma).trim());
  }
}

/** A lower rank says little, and is cheap to buy. */
const RANKS = 100_000;
const PLAIN_COLUMN = 1;
const RANK = /^[1-9]\d{0,8}$/;
/** Rankings name suffixes and hosts as well; a row that is at least a host name is skipped, not an error. */
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
