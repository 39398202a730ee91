/** Decides which feeds keep Gatehouse up to date: one row a feed, fetched from its publisher. */
import type { Feed } from './feed.ts';

const GITHUB = 'https://raw.githubusercontent.com';
const SPAMHAUS = 'https://www.spamhaus.org/drop';
const X4B = `${GITHUB}/X4BNet/lists_vpn/main`;
const MISP = `${GITHUB}/MISP/misp-warninglists/main/lists`;
const CREDIT_SPAMHAUS =
  'At most one fetch an hour; keep the credit to The Spamhaus Project and the date of the list.';
/** The first 100,000 rows of the widest ranking take 9 MB. */
const RANKING_BYTES = 16 * 1024 * 1024;
const CREDIT_MAJESTIC = 'Keep the credit to Majestic.';
const TERMS_TRANCO =
  'No licence is named, and one of its source rankings (Cloudflare Radar) is for non-commercial use only, so it is off.';
const NON_COMMERCIAL = 'Non-commercial use only, unless the publisher agrees otherwise; hence off.';
const TOR_DETAILS =
  'https://onionoo.torproject.org/details?flag=exit&running=true&fields=or_addresses,exit_addresses';

// biome-ignore format: one row a feed
export const FEEDS: readonly Feed[] = [
  { id: 'disposable-curated', url: `${GITHUB}/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf`, format: 'domains', category: 'disposable', entryKind: 'domain', family: 'disposable-email-domains', licence: 'CC0-1.0', everyHours: 12, enabled: true, minEntries: 1000 },
  { id: 'disposable-mx', url: 'https://disposable.github.io/disposable-email-domains/domains_mx.txt', format: 'domains', category: 'disposable', entryKind: 'domain', collection: true, licence: 'MIT', everyHours: 12, enabled: true, minEntries: 1000 },
  { id: 'disposable-allow', url: `${GITHUB}/disposable/disposable/master/whitelist.txt`, format: 'domains', category: 'not_disposable', entryKind: 'domain', licence: 'MIT', everyHours: 24, enabled: true, minEntries: 50 },
  { id: 'popular-domains', url: 'https://downloads.majestic.com/majestic_million.csv', format: 'ranked-domains', category: 'popular', entryKind: 'domain', licence: 'CC-BY-3.0', terms: CREDIT_MAJESTIC, everyHours: 168, enabled: true, bounds: [0.8, 1.2], firstBytes: RANKING_BYTES, minEntries: 50_000 },
  { id: 'popular-tranco', url: 'https://tranco-list.eu/top-1m.csv.zip', format: 'ranked-domains', category: 'popular', entryKind: 'domain', licence: 'free', terms: TERMS_TRANCO, everyHours: 168, enabled: false, bounds: [0.8, 1.2], firstBytes: RANKING_BYTES, minEntries: 50_000 },
  { id: 'universities', url: `${MISP}/university_domains/list.json`, format: 'warninglist-domains', category: 'institution', entryKind: 'domain', licence: 'CC0-1.0', everyHours: 168, enabled: true, minEntries: 3000 },
  { id: 'spam-domains', url: 'https://www.stopforumspam.com/downloads/toxic_domains_whole.txt', format: 'domains', category: 'spam', entryKind: 'domain', licence: 'free', terms: NON_COMMERCIAL, everyHours: 24, enabled: false, minEntries: 1000 },
  { id: 'referrer-spam', url: `${GITHUB}/matomo-org/referrer-spam-list/master/spammers.txt`, format: 'domains', category: 'spam', entryKind: 'domain', licence: 'public', everyHours: 24, enabled: true, minEntries: 500 },
  { id: 'tor-exits', url: 'https://check.torproject.org/torbulkexitlist', format: 'addresses', category: 'tor', entryKind: 'range', licence: 'CC0-1.0', everyHours: 1, enabled: true, minEntries: 200 },
  { id: 'tor-onionoo', url: TOR_DETAILS, format: 'onionoo', category: 'tor', entryKind: 'range', licence: 'CC0-1.0', everyHours: 2, enabled: true, minEntries: 200 },
  { id: 'icloud-relay', url: 'https://mask-api.icloud.com/egress-ip-ranges.csv', format: 'geofeed', category: 'relay', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 5000 },
  { id: 'corporate-zscaler', url: `${MISP}/zscaler/list.json`, format: 'warninglist-addresses', category: 'corporate', entryKind: 'range', licence: 'CC0-1.0', everyHours: 168, enabled: true, minEntries: 20 },
  { id: 'vpn-ipv4', url: `${X4B}/output/vpn/ipv4.txt`, format: 'addresses', category: 'vpn', entryKind: 'range', licence: 'MIT', everyHours: 12, enabled: true, minEntries: 1000 },
  { id: 'vpn-ipv6', url: `${X4B}/output/vpn/ipv6.txt`, format: 'addresses', category: 'vpn', entryKind: 'range', licence: 'MIT', everyHours: 12, enabled: true, minEntries: 50 },
  { id: 'proxies', url: `${GITHUB}/monosans/proxy-list/main/proxies.json`, format: 'proxies', category: 'proxy', entryKind: 'range', licence: 'MIT', everyHours: 2, enabled: true, bounds: [0.2, 5], minEntries: 20 },
  { id: 'datacenter-ipv4', url: `${X4B}/output/datacenter/ipv4.txt`, format: 'addresses', category: 'datacenter', entryKind: 'range', licence: 'MIT', everyHours: 24, enabled: true, minEntries: 5000 },
  { id: 'datacenter-ipv6', url: `${X4B}/output/datacenter/ipv6.txt`, format: 'addresses', category: 'datacenter', entryKind: 'range', licence: 'MIT', everyHours: 24, enabled: true, minEntries: 1000 },
  { id: 'datacenter-asn', url: `${X4B}/input/datacenter/ASN.txt`, format: 'asns', category: 'datacenter', entryKind: 'asn', licence: 'MIT', everyHours: 24, enabled: true, minEntries: 100 },
  { id: 'aws', url: 'https://ip-ranges.amazonaws.com/ip-ranges.json', format: 'aws', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 500 },
  { id: 'gcp', url: 'https://www.gstatic.com/ipranges/cloud.json', format: 'gcp', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 100 },
  { id: 'oracle', url: 'https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json', format: 'oracle', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 100 },
  { id: 'cloudflare-ipv4', url: 'https://www.cloudflare.com/ips-v4', format: 'addresses', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 5 },
  { id: 'cloudflare-ipv6', url: 'https://www.cloudflare.com/ips-v6', format: 'addresses', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 3 },
  { id: 'digitalocean', url: 'https://digitalocean.com/geo/google.csv', format: 'geofeed', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 100 },
  { id: 'linode', url: 'https://geoip.linode.com/', format: 'geofeed', category: 'datacenter', entryKind: 'range', licence: 'public', everyHours: 24, enabled: true, minEntries: 200 },
  { id: 'drop-v4', url: `${SPAMHAUS}/drop_v4.json`, format: 'spamhaus-cidrs', category: 'abuse', entryKind: 'range', licence: 'free', terms: CREDIT_SPAMHAUS, everyHours: 12, enabled: true, abuseWeight: 85, minEntries: 200 },
  { id: 'drop-v6', url: `${SPAMHAUS}/drop_v6.json`, format: 'spamhaus-cidrs', category: 'abuse', entryKind: 'range', licence: 'free', terms: CREDIT_SPAMHAUS, everyHours: 12, enabled: true, abuseWeight: 85, minEntries: 10 },
  { id: 'asn-drop', url: `${SPAMHAUS}/asndrop.json`, format: 'spamhaus-asns', category: 'abuse', entryKind: 'asn', licence: 'free', terms: CREDIT_SPAMHAUS, everyHours: 24, enabled: true, abuseWeight: 75, minEntries: 50 },
  { id: 'abuse-levels', url: `${GITHUB}/stamparm/ipsum/master/ipsum.txt`, format: 'counted-addresses', category: 'abuse', entryKind: 'range', licence: 'Unlicense', everyHours: 24, enabled: true, abuseWeight: 24, minEntries: 5000 },
  { id: 'blocklist-de', url: 'https://lists.blocklist.de/lists/all.txt', format: 'addresses', category: 'abuse', entryKind: 'range', licence: 'free', terms: 'Free to use, without any warranty; the list holds what was reported within 48 hours.', everyHours: 6, enabled: true, abuseWeight: 30, minEntries: 500 },
];
