/** Decides how a fetched feed is read: which parser and which kind of entry each format has. */
import type { Category } from '../model/source.ts';
import type { Feed, FeedFormat, ParsedFeed } from './feed.ts';
import { readAws, readGcp, readOnionoo, readOracle, readProxies } from './feed-formats-json.ts';
import {
  readAddresses,
  readAsnLines,
  readCountedAddresses,
  readDomains,
  readGeofeed,
} from './feed-formats-text.ts';
import { FeedRows } from './feed-rows.ts';
import { unpack } from './feed-unpack.ts';
import { readRankedDomains } from './format-ranked-domains.ts';
import { readSpamhausAsns, readSpamhausCidrs } from './format-spamhaus.ts';

/** Reads the whole of a feed, unpacked where it is packed; never throws. A document that cannot be read at all is one row in error. */
export function parseFeed(format: FeedFormat, bytes: Uint8Array): ParsedFeed {
  const { read, counted = false } = FORMATS[format];
  const rows = new FeedRows({ counted });
  try {
    // Takes off a byte order mark; bytes that are no UTF-8 become U+FFFD, which no entry has.
    read(new TextDecoder().decode(unpack(bytes)), rows);
    return rows.result();
  } catch (error) {
    const unreadable = new FeedRows({ counted });
    unreadable.refuse((error as Error).message);
    return unreadable.result();
  }
}

export interface Format {
  readonly entryKind: Feed['entryKind'];
  /** @throws when the document as a whole is not of this format */
  readonly read: (text: string, rows: FeedRows) => void;
  /** Whether it tells a number of lists with each entry. */
  readonly counted?: boolean;
  /** The categories that its entries can have, if fewer than the kind of entry allows. */
  readonly categories?: readonly Category[];
}

export const FORMATS: { readonly [Name in FeedFormat]: Format } = {
  domains: { entryKind: 'domain', read: readDomains },
  addresses: { entryKind: 'range', read: readAddresses },
  'counted-addresses': { entryKind: 'range', read: readCountedAddresses, counted: true },
  asns: { entryKind: 'asn', read: readAsnLines },
  geofeed: { entryKind: 'range', read: readGeofeed },
  onionoo: { entryKind: 'range', read: readOnionoo },
  aws: { entryKind: 'range', read: readAws },
  gcp: { entryKind: 'range', read: readGcp },
  oracle: { entryKind: 'range', read: readOracle },
  proxies: { entryKind: 'range', read: readProxies },
  'spamhaus-cidrs': { entryKind: 'range', read: readSpamhausCidrs },
  'spamhaus-asns': { entryKind: 'asn', read: readSpamhausAsns },
  'ranked-domains': { entryKind: 'domain', read: readRankedDomains, categories: ['popular'] },
};
