/** Decides how a fetched feed is read: which parser and which kind of entry each format has. */
import type { Category } from '../model/source.ts';
import type { Feed, FeedFormat, ParsedFeed } from './feed.ts';
import {
  readAws,
  readGcp,
  readOnionoo,
  readOracle,
  readProxies,
  readWarninglistAddresses,
  readWarninglistDomains,
} from './feed-formats-json.ts';
import { readSpamhausAsns, readSpamhausCidrs } from './feed-formats-spamhaus.ts';
import {
  readAddresses,
  readAsnLines,
  readCountedAddresses,
  readDomains,
  readGeofeed,
  readRankedDomains,
} from './feed-formats-text.ts';
import { FeedRows, MAX_ENTRIES } from './feed-rows.ts';
import { unpack } from './feed-unpack.ts';

/** Reads the whole of a feed, unpacked if it is packed; never throws. A document that cannot be read at all, or has more entries, counts as one row with an error. */
export function parseFeed(format: FeedFormat, bytes: Uint8Array, maxEntries = MAX_ENTRIES): ParsedFeed {
  const { read, counted = false } = FORMATS[format];
  const rows = new FeedRows({ counted, maxEntries });
  try {
    // Removes a byte order mark; bytes that are not UTF-8 become U+FFFD, which no entry has.
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
  /** Whether each entry comes with a number of lists. */
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
  'warninglist-addresses': { entryKind: 'range', read: readWarninglistAddresses },
  'warninglist-domains': { entryKind: 'domain', read: readWarninglistDomains },
  'spamhaus-cidrs': { entryKind: 'range', read: readSpamhausCidrs },
  'spamhaus-asns': { entryKind: 'asn', read: readSpamhausAsns },
  'ranked-domains': { entryKind: 'domain', read: readRankedDomains, categories: ['popular'] },
};
