/** Decides which bundled sources the baseline snapshot is made of, and what each of them says. */
import type { Category, EntryKind } from '../model/source.ts';

/** The first part of the origin of Gatehouse's own lists. */
export const OWN_ORIGIN = 'gatehouse:';

/** Places in a mask. */
export const MAX_SOURCES = 64;

/** Form in which a source's files are read. */
export type SourceFormat = 'lines' | 'json' | 'module' | 'asns' | 'ranges';

export interface BaselineSource {
  readonly id: string;
  readonly category: Category;
  readonly entryKind: EntryKind;
  readonly vouched?: boolean;
  readonly family?: string;
  readonly collection?: true;
  readonly format: SourceFormat;
  /** The npm package that contains the files; without one they are Gatehouse's own, beside this module. */
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
  { id: 'disposable-email-domains-js', category: 'disposable', entryKind: 'domain', family: 'disposable-email-domains', format: 'json', package: 'disposable-email-domains-js', files: ['dist/dict/disposable_email_blocklist.json'], except: 'data/disposable-exclusions.txt', licence: 'CC0-1.0' },
  { id: 'mailchecker', category: 'disposable', entryKind: 'domain', collection: true, format: 'module', package: 'mailchecker', files: ['platform/node/index.js'], except: 'data/disposable-exclusions.txt', licence: 'MIT' },
  { id: 'fakefilter', category: 'disposable', entryKind: 'domain', format: 'lines', package: 'fakefilter', files: ['txt/data.txt'], except: 'data/disposable-exclusions.txt', licence: 'BSD-3-Clause' },
  { id: 'disposable-services', category: 'disposable', entryKind: 'domain', format: 'lines', files: ['data/disposable-services.txt'], licence: OWN },
  { id: 'known-domains', category: 'known', entryKind: 'domain', format: 'lines', files: ['data/known-domains.txt'], licence: OWN },
  { id: 'institutional-suffixes', category: 'known', entryKind: 'word', format: 'lines', files: ['data/institutional-suffixes.txt'], licence: OWN },
  { id: 'typing-targets', category: 'mistyped', entryKind: 'word', format: 'lines', files: ['data/typing-targets.txt'], licence: OWN },
  { id: 'relays', category: 'relay', entryKind: 'domain', format: 'lines', files: ['data/relays.txt'], licence: OWN },
  { id: 'email-providers', category: 'consumer', entryKind: 'domain', format: 'json', package: 'email-providers', files: ['all.json'], except: 'data/consumer-exclusions.txt', licence: 'ISC' },
  { id: 'consumer', category: 'consumer', entryKind: 'domain', vouched: true, format: 'lines', files: ['data/consumer.txt', 'data/consumer-families.txt'], licence: OWN },
  { id: 'consumer-access', category: 'consumer', entryKind: 'domain', format: 'lines', files: ['data/consumer-access.txt'], licence: OWN },
  { id: 'no-reply', category: 'no_reply', entryKind: 'domain', format: 'lines', files: ['data/no-reply.txt'], licence: OWN },
  { id: 'sms-gateways', category: 'sms_gateway', entryKind: 'domain', format: 'lines', files: ['data/sms-gateways.txt'], licence: OWN },
  { id: 'shared-suffixes', category: 'shared_suffix', entryKind: 'domain', format: 'lines', files: ['data/shared-suffixes.txt'], licence: OWN },
  { id: 'role-based-email-addresses', category: 'role', entryKind: 'word', format: 'module', package: 'role-based-email-addresses', files: ['src/index.js'], except: 'data/role-exclusions.txt', licence: 'MIT' },
  { id: 'iana-tlds', category: 'tld', entryKind: 'word', format: 'lines', package: 'haraka-tld', files: ['etc/top-level-tlds'], licence: 'MIT' },
  { id: 'ip-location-db-country', category: 'country', entryKind: 'range', format: 'ranges', package: COUNTRY, files: ['geo-whois-asn-country-ipv4.csv', 'geo-whois-asn-country-ipv6.csv'], licence: 'CC-BY-4.0' },
  { id: 'ip-location-db-asn', category: 'asn', entryKind: 'range', format: 'ranges', package: ASN, files: ['asn-ipv4.csv', 'asn-ipv6.csv'], licence: 'CC-BY-4.0' },
  { id: 'hosting-asns', category: 'datacenter', entryKind: 'asn', format: 'asns', files: ['data/hosting-asns.txt'], licence: OWN },
  { id: 'corporate-proxies', category: 'corporate', entryKind: 'asn', format: 'asns', files: ['data/corporate-proxy-asns.txt'], licence: OWN },
  { id: 'carriers', category: 'carrier', entryKind: 'asn', format: 'asns', files: ['data/carrier-asns.txt'], licence: OWN },
  { id: 'egress', category: 'egress', entryKind: 'range', format: 'lines', files: ['data/egress-ranges.txt'], licence: OWN },
];
