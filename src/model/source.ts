/** A source of intelligence, and the categories of its entries. */
import type { Hit } from './evidence.ts';

/** The categories that a source may give to the names, words, addresses or networks that it lists. */
export const CATEGORIES = [
  'disposable',
  /** Wrongly reported as disposable: silences `disposable`. */
  'not_disposable',
  /** An ordinary business, provider or institution: disputes `disposable`. */
  'known',
  /** A likely typing mistake of a large provider: disputes `disposable`. */
  'mistyped',
  /** Used by many: disputes `disposable` where a single list says so. */
  'popular',
  /** A university or school: many of its people may come together. */
  'institution',
  'relay',
  /** Domain under which a code host gives its users addresses that hide their own: strangers share it. */
  'no_reply',
  /** Turns mail into text messages, or pages: nobody reads mail there. */
  'sms_gateway',
  /** A company's security proxy: its staff browse through it, so it cancels the categories of anonymizers. */
  'corporate',
  /** A mobile network: many subscribers share an address. */
  'carrier',
  /** Address from which a platform sends the requests of its customers' code. */
  'egress',
  'spam',
  'consumer',
  /** Unrelated people get names under it: its categories do not apply to the names below. */
  'shared_suffix',
  'role',
  'tld',
  'country',
  'asn',
  'datacenter',
  'tor',
  'vpn',
  'proxy',
  'abuse',
] as const;

export type Category = (typeof CATEGORIES)[number];

/** The kind of a source's entries. */
export type EntryKind = 'domain' | 'word' | 'asn' | 'range';

/** One source as a snapshot carries it; its place in the snapshot's table is its bit in every mask. */
export interface SourceInfo {
  readonly id: string;
  readonly category: Category;
  readonly entryKind: EntryKind;
  /** Its names are never disposable and never spam, no matter which source lists them. */
  readonly vouched: boolean;
  /** Family of the list, where several sources carry one: they count as one witness. Default the id. */
  readonly family?: string;
  /** Collects the lists of others, so that it is no witness beside them. */
  readonly collection?: true;
  /** `npm:<package>`, `gatehouse:<file>` or `feed:<id>`. */
  readonly origin: string;
  readonly licence: string;
  readonly version: string;
  /** URL that a feed is fetched from. */
  readonly url?: string;
  /** Time at which a feed was fetched, or last found unchanged, milliseconds since the epoch. */
  readonly fetchedAt?: number;
  /** Entries that were accepted into the snapshot. */
  readonly entries: number;
}

/** One entry of one source, and whether it counts. */
export interface SourceListing extends Hit {
  readonly version: string;
  readonly effective: boolean;
  /** Why it does not count, for people; empty when it does. */
  readonly because: string;
  /** Its source no longer lists it; only its part of the abuse score is left, and fades. */
  readonly departed: boolean;
}
