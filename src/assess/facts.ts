/** Writes what was found about a signup as compact text: from it and the stored columns, answer and explanation are made again. */
import type { Assessment } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { type Evidence, type Hit, type IpEvidence, MX_STATUSES } from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import type { Thresholds } from '../model/policy.ts';
import { IP_STATUSES, type IpStatus } from '../model/signup-attempt.ts';

/** What is known of an assessment beside the columns that it is found by. */
export interface Facts {
  /** Version of the policy that decided. */
  readonly policy: string;
  /** What the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly Omit<Finding<ReasonCode>, 'detail'>[];
  readonly evidence: Evidence;
  readonly ipStatus: IpStatus;
  /** The part of the address before the `@`; empty unless the answer suggests another address. */
  readonly local: string;
  readonly challenge: Assessment['challenge'];
}

/**
 * Texts of version 1 stay stored for years: `readFacts` must always read them. So the places below, the bits of a flag and
 * the orders of the statuses never change; what is new is a further bit, or a pair at the end.
 */
export const FACTS_VERSION = 1;

/** A bit each. */
export const EMAIL_FLAGS = [
  'disposable',
  'disposableDisputed',
  'relay',
  'spam',
  'consumer',
  'role',
  'alias',
] as const satisfies readonly (keyof Evidence['email'])[];
export const IP_FLAGS = [
  'tor',
  'vpn',
  'proxy',
  'relay',
  'datacenter',
] as const satisfies readonly (keyof IpEvidence)[];
/** The bits of an IP come after these. */
export const FLAG = { unanswered: 1 << 7, partial: 1 << 8, ip: 1 << 9 } as const;
export const FIRST_IP_BIT = 10;

export const AGE_STATUSES = [
  'known',
  'late',
  'unlisted',
  'unavailable',
] as const satisfies readonly Evidence['email']['age']['status'][];

/**
 * A JSON list: version, snapshot, policy, both thresholds, findings, flags, status of the IP, of the mail exchange and of the
 * age, age in days, five counts; with an IP its abuse score and country; then pairs of a name and a value that is not empty.
 * @param reasons as they are stored with it: findings name their code by its place there
 */
export function writeFacts(facts: Facts, reasons: readonly ReasonCode[]): string {
  const { policy, thresholds, findings, evidence, ipStatus } = facts;
  const { email, ip, velocity } = evidence;
  const { mx, age } = email;
  return `[${FACTS_VERSION},${quote(evidence.snapshot)},${quote(policy)},${thresholds.challenge},${thresholds.block},[${writeFindings(findings, reasons)}],${flagsOf(evidence)},${IP_STATUSES.indexOf(ipStatus)},${MX_STATUSES.indexOf(mx.status)},${AGE_STATUSES.indexOf(age.status)},${age.days},${velocity.ip1h},${velocity.ip24h},${velocity.domain1h},${velocity.domain24h},${velocity.mailbox24h}${ip === null ? '' : `,${ip.abuseScore},${quote(ip.country)}`}${writeRest(facts)}]`;
}

function writeFindings(findings: Facts['findings'], reasons: readonly ReasonCode[]): string {
  let text = '';
  for (const { detector, code, weight } of findings)
    text += `${text === '' ? '' : ','}${quote(detector)},${weight},${reasons.indexOf(code)}`;
  return text;
}

function flagsOf({ email, ip, velocity }: Evidence): number {
  let flags = 0;
  for (let bit = 0; bit < EMAIL_FLAGS.length; bit += 1)
    if (email[EMAIL_FLAGS[bit] as (typeof EMAIL_FLAGS)[number]]) flags |= 1 << bit;
  if (email.mx.unanswered === true) flags |= FLAG.unanswered;
  if (velocity.partial) flags |= FLAG.partial;
  if (ip === null) return flags;
  for (let bit = 0; bit < IP_FLAGS.length; bit += 1)
    if (ip[IP_FLAGS[bit] as (typeof IP_FLAGS)[number]]) flags |= 1 << (FIRST_IP_BIT + bit);
  return flags | FLAG.ip;
}

/** What most signups lack. */
function writeRest({ evidence, local, challenge }: Facts): string {
  const { email, ip, list } = evidence;
  const { disposableHost: host } = email;
  let rest = '';
  if (email.mx.hosts.length > 0) rest += `,"hosts",${JSON.stringify(email.mx.hosts)}`;
  if (email.hits.length > 0) rest += `,"hits",${writeHits(email.hits)}`;
  if (email.unknown.length > 0) rest += `,"unknown",${JSON.stringify(email.unknown)}`;
  if (email.sharedSuffix !== '') rest += `,"suffix",${quote(email.sharedSuffix)}`;
  if (email.providerMeant !== '') rest += `,"meant",[${quote(email.providerMeant)},${quote(local)}]`;
  if (host.name !== '') rest += `,"host",[${quote(host.name)},${quote(host.matched)},${host.serves}]`;
  if (ip !== null && ip.hits.length > 0) rest += `,"ipHits",${writeHits(ip.hits)}`;
  if (ip !== null && ip.unknown.length > 0) rest += `,"ipUnknown",${JSON.stringify(ip.unknown)}`;
  if (list !== null)
    rest += `,"list",${JSON.stringify([list.id, list.action, list.kind, list.value, list.reason])}`;
  if (challenge !== undefined)
    rest += `,"challenge",[${quote(challenge.token)},${quote(challenge.expires_at)}]`;
  return rest;
}

/** Four values a hit; 0 for the version of a source that has none. */
function writeHits(hits: readonly Hit[]): string {
  let text = '';
  for (const { fact, source, entry, version } of hits)
    text += `${text === '' ? '[' : ','}${quote(fact)},${quote(source)},${quote(entry)},${version === undefined ? '0' : quote(version)}`;
  return `${text}]`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
