/** The types of a feed: its source, format and category, and the result of a fetch. */
import type { Category, EntryKind } from '../model/source.ts';

/** Precedes a domain if the list also means all names below it. */
export const WILDCARD = '*.';

/** One row of the table of feeds. */
export interface Feed {
  readonly id: string;
  /** The publisher's address; `https:`, `http:` or `file:`. */
  readonly url: string;
  readonly format: FeedFormat;
  readonly category: Category;
  readonly entryKind: Exclude<EntryKind, 'word'>;
  /** SPDX identifier, or `free` / `public` if the publisher names none. */
  readonly licence: string;
  /** The publisher's conditions beyond the licence. */
  readonly terms?: string;
  /** Hours between fetches; below 1 is allowed to tests and overrides. */
  readonly everyHours: number;
  readonly enabled: boolean;
  /** Family, as in `SourceInfo`. */
  readonly family?: string;
  readonly collection?: true;
  /** Weight of one listing in `abuse`, 1 … 100; in a feed that counts, being on one of its lists. */
  readonly abuseWeight?: number;
  /** The least and the greatest size of a new version, relative to the last good one. Default 0.5 … 3. */
  readonly bounds?: readonly [shrink: number, grow: number];
  /** Bytes that are fetched of a file that is not packed: the head of a ranking is all that counts. Default all of it. */
  readonly firstBytes?: number;
  /** Smallest number of entries a first version may have. Default 1. */
  readonly minEntries?: number;
}

/** A fetched feed, read whole. */
export interface ParsedFeed {
  /**
   * Canonical texts, without repetition, in file order: a lower-case ASCII domain, after `*.` where the list says that
   * it means all names below; an address (`192.0.2.7`, RFC 5952 for IPv6) or a CIDR block with its host bits zero;
   * `AS64500`. One address is never a /32 or /128.
   */
  readonly entries: readonly string[];
  /** Number of lists behind each entry, for formats that have it; parallel to `entries`. */
  readonly levels?: readonly number[];
  /** Rows that should have been entries, readable or not. */
  readonly rows: number;
  /** Rows among them that could not be read. */
  readonly errors: number;
  /** The first of those, cut to 120 characters. */
  readonly firstError?: string;
}

/** An active version of a feed. */
export interface AppliedFeed {
  readonly feed: Feed;
  /** First 16 hex digits of the SHA-256 of the bytes fetched. */
  readonly version: string;
  /** Time at which these bytes were fetched, or last found unchanged, milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly parsed: ParsedFeed;
  /** Entries of earlier versions that are gone, only kept for feeds that say `abuse`: they fade. */
  readonly departed: readonly DepartedEntry[];
}

export interface DepartedEntry {
  readonly entry: string;
  /** Its last number of lists; 1 where the feed does not count. */
  readonly level: number;
  /** Time at which it was last listed, milliseconds since the epoch. */
  readonly lastSeen: number;
}

/** Form in which a publisher writes a feed; each has one parser in `feed-formats-*.ts`. */

export type FeedFormat =
  /** One domain a line, `#` comments; a leading `*.` or `.` means the root and every name below it. */
  | 'domains'
  /** One IPv4 or IPv6 address or CIDR block a line, `#` or `;` comments. */
  | 'addresses'
  /** Address, tab, number of lists that have it (ipsum). */
  | 'counted-addresses'
  /** `AS123 # name`. */
  | 'asns'
  /** CSV of which the first field is a block: RFC 8805 geofeeds, iCloud's egress list. */
  | 'geofeed'
  /** Onionoo details document: `relays[].exit_addresses`, `or_addresses`. */
  | 'onionoo'
  | 'aws'
  | 'gcp'
  | 'oracle'
  /** Array of proxies; signups come from `exit_ip`, or from `host` if that is missing. */
  | 'proxies'
  /** MISP's warning lists: `list`, of CIDR blocks or of domains. */
  | 'warninglist-addresses'
  | 'warninglist-domains'
  /** Newline-delimited JSON, metadata last: `cidr` members. */
  | 'spamhaus-cidrs'
  /** Newline-delimited JSON, metadata last: `asn` members. */
  | 'spamhaus-asns'
  /** `rank,domain` rows, most popular first, or CSV with a header that names the column. */
  | 'ranked-domains';
