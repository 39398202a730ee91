/** Lists what was unknown, late or stale when a signup was assessed, one sentence each. */
import type { Assessment } from '../contract/messages.ts';
import type { DomainAge, Evidence, Hit } from '../model/evidence.ts';
import type { BroughtBy } from '../model/signup-attempt.ts';

export interface MissingSignalsInput {
  readonly evidence: Evidence;
  readonly ipStatus: Assessment['ip_status'];
  /** Time at which it was assessed, milliseconds since the epoch. */
  readonly at: number;
  /** Time from which on a version of a source was no longer fresh, milliseconds since the epoch; `undefined` where that is not known. */
  readonly staleFrom: (source: string, version: string) => number | undefined;
}

const NO_AGE: Readonly<Record<DomainAge['status'], string | undefined>> = {
  known: undefined,
  late: 'The domain’s age came too late to count. The next signup from this domain will use it.',
  unavailable:
    'The domain’s age is unknown: no registry could be asked, none answered, or their answers are known to be wrong.',
  unlisted: 'The domain’s age is unknown: its registry publishes none.',
};

const NO_IP: Readonly<Record<Assessment['ip_status'], string | undefined>> = {
  ok: undefined,
  missing: 'No IP address was sent, so none was looked up.',
  ignored_loopback: 'The IP address sent is a loopback address, so none was looked up.',
  ignored_private: 'The IP address sent is not public, so none was looked up.',
  ignored_localhost: 'The IP sent was localhost, so none was looked up.',
};

const MX_UNANSWERED =
  'We could not check whether the domain takes mail: its name servers gave no usable answer, also when asked again. Other domains were answered, so this added a few points.';
const DNS_UNKNOWN =
  'We could not check whether the domain takes mail: DNS did not answer in time, or is known to be wrong. This did not count against the signup.';
const PARTIAL_COUNTS =
  'The velocity counts are lower bounds: there may have been more attempts than were counted.';

const BROUGHT: Readonly<Record<BroughtBy, string>> = {
  admin: 'Brought by an administrator: bursts are not counted.',
  member: 'Brought by a member: bursts are not counted.',
  directory: 'Brought by a directory: bursts are not counted.',
};
const SHARED_BY_KEY =
  'Most signups of this key or hook came with this IP address, so it is not counted as a burst: it belongs to a server or a proxy.';

export function missingSignalsOf({ evidence, ipStatus, at, staleFrom }: MissingSignalsInput): string[] {
  if (evidence.snapshot === 'sandbox') {
    return ['This is the sandbox: the address alone decides, and nothing was looked up.'];
  }
  return [
    ...unknownOfEmail(evidence.email),
    ...unknownOfIp(evidence.ip, ipStatus),
    ...thoseThatApply(
      evidence.velocity.broughtBy !== '' && BROUGHT[evidence.velocity.broughtBy],
      evidence.ip?.sharedByKey === true && SHARED_BY_KEY,
      evidence.velocity.partial && PARTIAL_COUNTS,
    ),
    ...staleEntries([...evidence.email.hits, ...(evidence.ip?.hits ?? [])], at, staleFrom),
  ];
}

function unknownOfEmail({ mx, age, unknown }: Evidence['email']): string[] {
  const noMx = mx.status === 'unknown' && DNS_UNKNOWN;
  return [
    ...thoseThatApply(mx.unanswered === true ? MX_UNANSWERED : noMx, NO_AGE[age.status]),
    ...unanswered(unknown, 'the domain'),
  ];
}

function unknownOfIp(ip: Evidence['ip'], ipStatus: Assessment['ip_status']): string[] {
  if (ip === null) return thoseThatApply(NO_IP[ipStatus]);
  return [
    ...thoseThatApply(
      ip.asn === 0 && 'No network (AS) is known for the IP address.',
      ip.countryCode === '' && 'No country is known for the IP address.',
    ),
    ...unanswered(ip.unknown, 'the IP address'),
  ];
}

function thoseThatApply(...sentences: readonly (string | false | undefined)[]): string[] {
  return sentences.filter((sentence) => typeof sentence === 'string');
}

/** Upstreams only: `unknown` also has the values that get a sentence of their own. */
function unanswered(unknown: readonly string[], about: string): string[] {
  return unknown
    .filter((name) => name !== 'mx' && name !== 'age')
    .map((name) => {
      const upstream = name === 'abuseipdb' ? 'AbuseIPDB' : `The blocklist ${name.replace(/^dnsbl:/, '')}`;
      return `${upstream} could not be asked about ${about}, did not answer in time, or is known to be wrong.`;
    });
}

/** One sentence a source, however many of its entries matched. */
function staleEntries(
  hits: readonly Hit[],
  at: number,
  staleFrom: MissingSignalsInput['staleFrom'],
): string[] {
  const stale = hits.filter(({ source, version = '' }) => at >= (staleFrom(source, version) ?? Infinity));
  return [...new Set(stale.map(({ source }) => source))].map(
    (source) =>
      `${source} had not been confirmed by its publisher for a while: its data may have been out of date.`,
  );
}
