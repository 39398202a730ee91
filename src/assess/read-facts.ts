/** Reads the facts of a stored assessment: evidence and findings, as they were when it was made. */
import type { Assessment } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { EMPTY_EMAIL, type Evidence, type Hit, MX_STATUSES } from '../model/evidence.ts';
import type { ListMatch } from '../model/list-entry.ts';
import { IP_STATUSES } from '../model/signup-attempt.ts';
import {
  AGE_STATUSES,
  EMAIL_FLAGS,
  FACTS_VERSION,
  type Facts,
  FIRST_IP_BIT,
  FLAG,
  IP_FLAGS,
} from './facts.ts';

/** The columns that facts do not repeat. */
export interface FactsHead {
  readonly reasons: readonly ReasonCode[];
  readonly emailDomain: string;
  readonly ip: string | null;
  readonly countryCode: string;
  readonly asn: number;
}

type Numbers = readonly number[];

/** Of the lists and texts at the end. */
interface Rest {
  readonly hosts?: readonly string[];
  readonly hits?: readonly (string | 0)[];
  readonly unknown?: readonly string[];
  readonly suffix?: string;
  readonly meant?: readonly [domain: string, local: string];
  readonly host?: readonly [name: string, matched: string, serves: number];
  readonly ipHits?: readonly (string | 0)[];
  readonly ipUnknown?: readonly string[];
  readonly list?: readonly [string, ListMatch['action'], ListMatch['kind'], string, string | null];
  readonly challenge?: readonly [token: string, expiresAt: string];
}

/** Places before the numbers, and before those of an IP. */
const NUMBERS = 6;
const PLACES = 16;

/** @throws when it is no text that `writeFacts` wrote, in this version or an older one */
export function readFacts(text: string, head: FactsHead): Facts {
  const places = JSON.parse(text) as readonly unknown[];
  if (places[0] !== FACTS_VERSION)
    throw new Error('the assessment was stored by a newer version of Gatehouse');
  // By their places: taking a list apart would go through it one by one, for each assessment that is read.
  const [snapshot, policy] = [places[1] as string, places[2] as string];
  const [challenge, block] = [places[3] as number, places[4] as number];
  const findings = places[5] as readonly (string | number)[];
  const numbers = places.slice(NUMBERS, PLACES) as Numbers;
  const flags = numbers[0] ?? 0;
  const hasIp = (flags & FLAG.ip) !== 0;
  const rest = readRest(places, hasIp ? PLACES + 2 : PLACES);
  return {
    policy,
    thresholds: { challenge, block },
    findings: readFindings(findings, head.reasons),
    evidence: {
      snapshot,
      email: readEmail(numbers, rest, head),
      ip: hasIp ? readIp(flags, places.slice(PLACES, PLACES + 2), rest, head) : null,
      velocity: readVelocity(numbers),
      list: readList(rest.list),
    },
    ipStatus: IP_STATUSES[numbers[1] ?? 0] as Facts['ipStatus'],
    local: rest.meant?.[1] ?? '',
    challenge: readChallenge(rest.challenge),
  };
}

function readRest(places: readonly unknown[], from: number): Rest {
  const rest: Record<string, unknown> = {};
  for (let at = from; at < places.length; at += 2) rest[places[at] as string] = places[at + 1];
  return rest as Rest;
}

function readFindings(
  places: readonly (string | number)[],
  reasons: readonly ReasonCode[],
): Facts['findings'] {
  const findings: { detector: string; code: ReasonCode; weight: number }[] = [];
  for (let at = 0; at < places.length; at += 3)
    findings.push({
      detector: places[at] as string,
      code: reasons[places[at + 2] as number] as ReasonCode,
      weight: places[at + 1] as number,
    });
  return findings;
}

function readEmail(
  [flags = 0, , mx = 0, age = 0, days = -1]: Numbers,
  rest: Rest,
  head: FactsHead,
): Evidence['email'] {
  const { hosts = [], hits = [], unknown = [], suffix = '', meant, host } = rest;
  return {
    ...EMPTY_EMAIL,
    domain: head.emailDomain,
    ...flagsAt(EMAIL_FLAGS, flags, 0),
    disposableHost:
      host === undefined ? EMPTY_EMAIL.disposableHost : { name: host[0], matched: host[1], serves: host[2] },
    sharedSuffix: suffix,
    providerMeant: meant?.[0] ?? '',
    mx: {
      status: MX_STATUSES[mx] as Evidence['email']['mx']['status'],
      hosts,
      ...((flags & FLAG.unanswered) !== 0 && { unanswered: true }),
    },
    age: { days, status: AGE_STATUSES[age] as Evidence['email']['age']['status'] },
    hits: readHits(hits),
    unknown,
  };
}

function readIp(
  flags: number,
  [abuseScore, country]: readonly unknown[],
  { ipHits = [], ipUnknown = [] }: Rest,
  { ip, countryCode, asn }: FactsHead,
): NonNullable<Evidence['ip']> {
  return {
    address: ip ?? '',
    ...flagsAt(IP_FLAGS, flags, FIRST_IP_BIT),
    abuseScore: abuseScore as number,
    countryCode,
    country: country as string,
    asn,
    hits: readHits(ipHits),
    unknown: ipUnknown,
  };
}

function readVelocity(numbers: Numbers): Evidence['velocity'] {
  const [flags = 0, , , , , ip1h = 0, ip24h = 0, domain1h = 0, domain24h = 0, mailbox24h = 0] = numbers;
  return { ip1h, ip24h, domain1h, domain24h, mailbox24h, partial: (flags & FLAG.partial) !== 0 };
}

function flagsAt<Name extends string>(
  names: readonly Name[],
  flags: number,
  first: number,
): Record<Name, boolean> {
  const found = {} as Record<Name, boolean>;
  for (let bit = 0; bit < names.length; bit += 1)
    found[names[bit] as Name] = (flags & (1 << (first + bit))) !== 0;
  return found;
}

function readHits(places: readonly (string | 0)[]): Hit[] {
  const hits: Hit[] = [];
  for (let at = 0; at < places.length; at += 4) {
    const [fact, source, entry, version] = places.slice(at, at + 4) as [string, string, string, string | 0];
    hits.push({ fact, source, entry, ...(version !== 0 && { version }) });
  }
  return hits;
}

function readList(list: Rest['list']): Evidence['list'] {
  if (list === undefined) return null;
  const [id, action, kind, value, reason] = list;
  return { id, action, kind, value, reason };
}

function readChallenge(challenge: Rest['challenge']): Assessment['challenge'] {
  if (challenge === undefined) return undefined;
  const [token, expiresAt] = challenge;
  return { token, expires_at: expiresAt };
}
