/** Decides which name is asked of a DNS blocklist, and which of its answers means that the subject is listed. */
import { registrableDomain } from '../../address/domain.ts';
import { parseIp } from '../../address/ip.ts';
import type { IpAddress } from '../../model/signup-attempt.ts';
import type { DnsClient } from './dns-client.ts';
import type { DnsReply } from './dns-message.ts';
import type { LookupAnswer } from './lookup.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamOptions,
} from './reputation-upstream.ts';

export interface DnsblOptions
  extends Pick<UpstreamOptions<unknown>, 'clock' | 'deadlineMs' | 'onOutcome' | 'onCanary'> {
  readonly zone: string;
  readonly client: Pick<DnsClient, 'query'>;
}

/** Weight of one listing: a list may be wrong, but two are seldom wrong together. */
const LISTED_WEIGHT = 50;
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 3_600_000;
/** The number of a list, as widely used for addresses that should not send mail themselves: every home has one. */
const POLICY_CODES = [10, 11];
/** RFC 5782, section 5: entries that a list must not contain. A list that contains one of them lists everything. */
const NEVER_LISTED_IP = parseIp('127.0.0.1') as IpAddress;
const NEVER_LISTED_DOMAIN = 'invalid';
const CONTROL_INTERVALS = { everyMs: 300_000, freshMs: 60_000, burstMs: 5_000, retryMs: 30_000 };

/** A blocklist of addresses, as RFC 5782 describes it. */
export function createIpDnsbl(options: DnsblOptions): Upstream<IpAddress> {
  return createDnsbl(options, {
    keyOf: ({ text }) => text,
    labelsOf: reversed,
    isListing: isAddressListing,
    control: NEVER_LISTED_IP,
  });
}

/** A blocklist of domains; the registrable one is asked for. */
export function createDomainDnsbl(options: DnsblOptions): Upstream<string> {
  const nameOf = (domain: string) => registrableDomain(domain) ?? domain;
  return createDnsbl(options, {
    keyOf: nameOf,
    labelsOf: nameOf,
    isListing: () => true,
    control: NEVER_LISTED_DOMAIN,
  });
}

/** Difference between lists of addresses and lists of domains. */
interface ListKind<S> {
  readonly keyOf: (subject: S) => string;
  readonly labelsOf: (subject: S) => string;
  readonly isListing: (octets: readonly number[]) => boolean;
  readonly control: S;
}

function createDnsbl<S>(
  { zone, client, ...shared }: DnsblOptions,
  { keyOf, labelsOf, isListing, control }: ListKind<S>,
): Upstream<S> {
  async function ask(subject: S): Promise<LookupAnswer<UpstreamAnswer>> {
    const reply = await client.query(`${labelsOf(subject)}.${zone}`, 'A')?.reply;
    return readReply(reply, keyOf(subject), isListing);
  }
  return createUpstream<S>({
    id: `dnsbl:${zone}`,
    keyOf,
    ask,
    controls: [control],
    controlIntervals: CONTROL_INTERVALS,
    ...shared,
  });
}

/** @throws when the reply says nothing about the subject */
function readReply(
  reply: DnsReply | undefined,
  entry: string,
  isListing: (octets: readonly number[]) => boolean,
): LookupAnswer<UpstreamAnswer> {
  if (reply === undefined || reply.status === 'failed' || reply.status === 'silent')
    throw new Error('no reply');
  const ttlMs = Math.min(Math.max(reply.ttlSeconds * 1_000, MIN_TTL_MS), MAX_TTL_MS);
  const codes = reply.records.flatMap((record) =>
    record.type === 'A' ? [record.data.split('.').map(Number)] : [],
  );
  if (codes.some((octets) => !isAnswer(octets))) throw new Error('refused');
  return { value: codes.some(isListing) ? { weight: LISTED_WEIGHT, entry } : 'clear', ttlMs };
}

/**
 * Lists answer 127.0.0.x, those of domains also 127.0.1.x. Everything else is an error in disguise: 127.255.255.x for
 * a resolver they refuse, 127.0.0.1 and 127.0.1.255 likewise, and any other address comes from a resolver that gives
 * false answers.
 */
function isAnswer([a, b, c, d = 0]: readonly number[]): boolean {
  return a === 127 && b === 0 && (c === 0 || c === 1) && d > 1 && d < 255;
}

function isAddressListing([, , c, d = 0]: readonly number[]): boolean {
  return c === 0 && !POLICY_CODES.includes(d);
}

/** Octets, or for IPv6 nibbles, last first. */
function reversed({ version, words }: IpAddress): string {
  const digits = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  if (version === 6) return [...digits].reverse().join('.');
  return (digits.match(/../g) ?? [])
    .map((octet) => Number.parseInt(octet, 16))
    .reverse()
    .join('.');
}
