/** Tells what was unknown, late or stale when an attempt was judged, one sentence each. */
import type { Assessment } from '../../contract/messages.ts';
import type { DomainAge, Evidence, Hit } from '../../evidence/evidence.ts';

export interface Unknowing {
  readonly evidence: Evidence;
  readonly ipStatus: Assessment['ip_status'];
  /** When it was judged, milliseconds since the epoch. */
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** Older than this, a dated entry is told of. */
const STALE_DAYS = 14;

const NO_AGE: Readonly<Record<DomainAge['status'], string | undefined>> = {
  known: undefined,
  late: 'The domain’s age came too late to count; the registry’s answer serves the next attempt.',
  unavailable: 'The domain’s age is unknown: no registry could be asked, or none answered.',
  unlisted: 'The domain’s age is unknown: its registry publishes none.',
};

const NO_IP: Readonly<Record<Assessment['ip_status'], string | undefined>> = {
  ok: undefined,
  missing: 'No IP address was sent, so none was looked up.',
  ignored_loopback: 'The IP address sent is a loopback address, so none was looked up.',
  ignored_private: 'The IP address sent is not public, so none was looked up.',
  ignored_localhost: 'The IP sent was localhost, so none was looked up.',
};

export function unknownOf({ evidence, ipStatus, at }: Unknowing): string[] {
  if (evidence.snapshot === 'sandbox') {
    return ['This is the sandbox: the address alone decides, and nothing was looked up.'];
  }
  return [
    ...unknownOfEmail(evidence.email),
    ...unknownOfIp(evidence.ip, ipStatus),
    ...(evidence.velocity.partial
      ? ['The velocity counts are lower bounds: there were more attempts than are remembered.']
      : []),
    ...staleEntries([...evidence.email.hits, ...(evidence.ip?.hits ?? [])], at),
  ];
}

function unknownOfEmail({ mx, age, unknown }: Evidence['email']): string[] {
  const noAge = NO_AGE[age.status];
  return [
    ...(mx.status === 'unknown'
      ? ['Whether the domain takes mail is unknown: DNS did not answer in time. Nobody is accused for that.']
      : []),
    ...(noAge === undefined ? [] : [noAge]),
    ...unanswered(unknown, 'the domain'),
  ];
}

function unknownOfIp(ip: Evidence['ip'], ipStatus: Assessment['ip_status']): string[] {
  if (ip === null) return [NO_IP[ipStatus]].filter((sentence) => sentence !== undefined);
  return [
    ...(ip.asn === 0 ? ['No network (AS) is known for the IP address.'] : []),
    ...(ip.countryCode === '' ? ['No country is known for the IP address.'] : []),
    ...unanswered(ip.unknown, 'the IP address'),
  ];
}

/** Upstreams only: what has a sentence of its own stands in `unknown` too. */
function unanswered(unknown: readonly string[], about: string): string[] {
  return unknown
    .filter((name) => name !== 'mx' && name !== 'age')
    .map((name) => {
      const upstream = name === 'abuseipdb' ? 'AbuseIPDB' : `The blocklist ${name.replace(/^dnsbl:/, '')}`;
      return `${upstream} could not be asked about ${about}, or did not answer in time.`;
    });
}

/** Versions that are dates tell how old a source was when it spoke. */
function staleEntries(hits: readonly Hit[], at: number): string[] {
  const told = new Map<string, string>();
  for (const { source, version = '' } of hits) {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(version)?.[0];
    const days = day === undefined ? Number.NaN : Math.floor((at - Date.parse(day)) / DAY_MS);
    if (days > STALE_DAYS)
      told.set(source, `${source} spoke from its version of ${day}, ${days} days old then.`);
  }
  return [...told.values()];
}
