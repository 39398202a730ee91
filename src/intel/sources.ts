/** Decides which bundled sources the baseline snapshot is made of, and what each of them says. */

/** What a source says of the names, words, addresses or networks it lists. */
export const FACTS = [
  'disposable',
  /** Wrongly reported as disposable: silences `disposable`. */
  'not_disposable',
  /** An ordinary business, provider or institution: disputes `disposable`. */
  'known',
  /** A likely typing mistake of a large provider: disputes `disposable`. */
  'mistyped',
  /** Used by many: disputes `disposable` where a single list says so. */
  'popular',
  'relay',
  /** A company's security proxy: its staff browse through it, so it silences what is said of anonymizers. */
  'corporate',
  'spam',
  'consumer',
  /** Strangers get names under it: what is said of it is not said of the names below. */
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

export type Category = (typeof FACTS)[number];

/** What the entries of a source are. */
export type EntryKind = 'domain' | 'word' | 'asn' | 'range';

/** One source as a snapshot carries it; its place in the snapshot's table is its bit in every mask. */
export interface SourceInfo {
  readonly id: string;
  readonly says: Category;
  readonly entryKind: EntryKind;
  /** Its names are never disposable and never spam, whoever lists them. */
  readonly vouched: boolean;
  /** Whose list it is, where several sources carry one: they count as one witness. Default the id. */
  readonly family?: string;
  /** Collects the lists of others, so that it is no witness beside them. */
  readonly collection?: true;
  /** `npm:<package>`, `gatehouse:<file>` or `feed:<id>`. */
  readonly origin: string;
  readonly licence: string;
  readonly version: string;
  /** Where a feed is fetched. */
  readonly url?: string;
  /** When a feed was fetched, or last found unchanged, milliseconds since the epoch. */
  readonly fetchedAt?: number;
  /** Entries that were accepted into the snapshot. */
  readonly entries: number;
}

/** What the origin of Gatehouse's own lists begins with. */
export const OWN_ORIGIN = 'gatehouse:';

/** Places in a mask. */
export const MAX_SOURCES = 64;

/** How a source's files are read. */
export type SourceFormat = 'lines' | 'json' | 'module' | 'asns' | 'ranges';

export interface BaselineSource {
  readonly id: string;
  readonly says: Category;
  readonly entryKind: EntryKind;
  readonly vouched?: boolean;
  readonly family?: string;
  readonly collection?: true;
  readonly format: SourceFormat;
  /** The npm package that holds the files; without one they are Gatehouse's own, beside this module. */
  readonly package?: string;
  readonly files: readonly string[];
  /** One of Gatehouse's own files: entries of this source that are not believed. */
  readonly except?: string;
  readonly licence: string;
}

const COUNTRY = '@ip-location-db/geo-whois-asn-country';
const ASN = '@ip-location-db/asn';
const OWN = 'Apache-2.0';

// biome-ignore format: one row a source
export const BASELINE_SOURCES: readonly BaselineSource[] = [
  { id: 'disposable-email-domains-js', says: 'disposable', entryKind: 'domain', family: 'disposable-email-domains', format: 'json', package: 'disposable-email-domains-js', files: ['dist/dict/disposable_email_blocklist.json'], except: 'data/disposable-exclusions.txt', licence: 'CC0-1.0' },
  { id: 'mailchecker', says: 'disposable', entryKind: 'domain', collection: true, format: 'module', package: 'mailchecker', files: ['platform/node/index.js'], except: 'data/disposable-exclusions.txt', licence: 'MIT' },
  { id: 'fakefilter', says: 'disposable', entryKind: 'domain', format: 'lines', package: 'fakefilter', files: ['txt/data.txt'], except: 'data/disposable-exclusions.txt', licence: 'BSD-3-Clause' },
  { id: 'disposable-services', says: 'disposable', entryKind: 'domain', format: 'lines', files: ['data/disposable-services.txt'], licence: OWN },
  { id: 'known-domains', says: 'known', entryKind: 'domain', format: 'lines', files: ['data/known-domains.txt'], licence: OWN },
  { id: 'institutional-suffixes', says: 'known', entryKind: 'word', format: 'lines', files: ['data/institutional-suffixes.txt'], licence: OWN },
  { id: 'typing-targets', says: 'mistyped', entryKind: 'word', format: 'lines', files: ['data/typing-targets.txt'], licence: OWN },
  { id: 'relays', says: 'relay', entryKind: 'domain', format: 'lines', files: ['data/relays.txt'], licence: OWN },
  { id: 'email-providers', says: 'consumer', entryKind: 'domain', format: 'json', package: 'email-providers', files: ['all.json'], except: 'data/consumer-exclusions.txt', licence: 'ISC' },
  { id: 'consumer', says: 'consumer', entryKind: 'domain', vouched: true, format: 'lines', files: ['data/consumer.txt'], licence: OWN },
  { id: 'shared-suffixes', says: 'shared_suffix', entryKind: 'domain', format: 'lines', files: ['data/shared-suffixes.txt'], licence: OWN },
  { id: 'role-based-email-addresses', says: 'role', entryKind: 'word', format: 'module', package: 'role-based-email-addresses', files: ['src/index.js'], except: 'data/role-exclusions.txt', licence: 'MIT' },
  { id: 'iana-tlds', says: 'tld', entryKind: 'word', format: 'lines', package: 'haraka-tld', files: ['etc/top-level-tlds'], licence: 'MIT' },
  { id: 'ip-location-db-country', says: 'country', entryKind: 'range', format: 'ranges', package: COUNTRY, files: ['geo-whois-asn-country-ipv4.csv', 'geo-whois-asn-country-ipv6.csv'], licence: 'CC-BY-4.0' },
  { id: 'ip-location-db-asn', says: 'asn', entryKind: 'range', format: 'ranges', package: ASN, files: ['asn-ipv4.csv', 'asn-ipv6.csv'], licence: 'CC-BY-4.0' },
  { id: 'hosting-asns', says: 'datacenter', entryKind: 'asn', format: 'asns', files: ['data/hosting-asns.txt'], licence: OWN },
  { id: 'corporate-proxies', says: 'corporate', entryKind: 'asn', format: 'asns', files: ['data/corporate-proxy-asns.txt'], licence: OWN },
];
