/** Writes the exact body of an answer from the stored columns and facts of its assessment: for the first answer and for every later read. */
import type { Verdict } from '../contract/messages.ts';
import { REASON_CODES, REASONS, type ReasonCode } from '../contract/reasons.ts';
import { type Evidence, type IpEvidence, MX_STATUSES } from '../model/evidence.ts';
import { IP_STATUSES } from '../model/signup-attempt.ts';
import { escapeText, quote } from '../platform/json-text.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { answeredVerdictOf, shownEvidence } from './answer.ts';
import type { Facts } from './facts.ts';
import { isMailUnwanted } from './mail-unwanted.ts';
import type { FactsHead } from './read-facts.ts';

/** The columns of an assessment that its answer repeats. */
export interface AnsweredHead extends FactsHead {
  /** Needs no escapes. */
  readonly requestId: string;
  readonly shadow: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly score: number;
  readonly sessionId: string | null;
  readonly processedMs: number;
}

/**
 * The members that the schema of `Assessment` names, in its order, required ones first. Made from few pieces, most of which
 * are made once; a piece also closes what the one before it opened. A record with version 1 of the facts must give the
 * same bytes in every later version of Gatehouse.
 */
export function writeBody(
  head: AnsweredHead,
  { evidence, ipStatus, local, challenge }: Pick<Facts, 'evidence' | 'ipStatus' | 'local' | 'challenge'>,
): string {
  const { shadow, sessionId } = head;
  const shown = shownEvidence(shadow, evidence);
  const { ip, velocity } = shown;
  const verdict = answeredVerdictOf(shadow, head);
  const reasons = shadow ? '' : writeReasons(head.reasons);
  const shadowVerdict = shadow ? `,"shadow_verdict":"${head.verdict}"` : '';
  const offer =
    challenge === undefined
      ? ''
      : `,"challenge":{"token":${quote(challenge.token)},"expires_at":${quote(challenge.expires_at)}}`;
  const end = writeEnd(toTimestamp(head.at), sessionId, `${shadowVerdict}${offer}`);
  return `{"request_id":"${head.requestId}","verdict":"${verdict}","score":${shadow ? 0 : head.score},"reasons":[${reasons}${writeEmail(shown, local)}${writeVelocity(velocity)}${ip === null ? '' : writeIp(ip)}${(ip === null ? WITHOUT_IP : WITH_IP)[ipStatus]}${head.processedMs}${end}`;
}

/** Everything after the time that the answer took. */
function writeEnd(timestamp: string, sessionId: string | null, rest: string): string {
  const session = sessionId === null ? '' : `,"session_id":"${escapeText(sessionId)}"`;
  return `,"assessed_at":"${timestamp}"${session}${rest}}`;
}

function writeReasons(codes: readonly ReasonCode[]): string {
  let text = '';
  for (const code of codes) text = text === '' ? REASON_TEXTS[code] : `${text},${REASON_TEXTS[code]}`;
  return text;
}

function writeEmail(evidence: Evidence, local: string): string {
  const { email } = evidence;
  const { disposable, relay, spam, domain, age, mx, consumer, role, providerMeant } = email;
  const isDisposable = disposable || email.disposableHost.name !== '';
  const listed = LISTED[bits(isDisposable, relay, spam)];
  const meant = providerMeant === '' ? '' : `,"did_you_mean":${quote(`${local}@${providerMeant}`)}`;
  return `${listed}${escapeText(domain)}","domain_age_days":${age.days}${MAIL[mx.status][bits(consumer, role)]}${meant}${isMailUnwanted(evidence) ? MAIL_UNWANTED : ''}`;
}

function writeVelocity({ ip1h, ip24h, domain1h, domain24h }: Evidence['velocity']): string {
  return `},"velocity":{"ip_signups_1h":${ip1h},"ip_signups_24h":${ip24h},"email_domain_1h":${domain1h},"email_domain_24h":${domain24h}}`;
}

function writeIp(ip: IpEvidence): string {
  const { tor, vpn, proxy, relay, datacenter } = ip;
  const flags = NETWORK[bits(tor, vpn, proxy, relay, datacenter)];
  return `,"ip":{"address":"${ip.address}${flags}${ip.abuseScore},"country_code":${quote(ip.countryCode)},"country":${quote(ip.country)},"asn":"AS${ip.asn}`;
}

function bits(a: boolean, b: boolean, c = false, d = false, e = false): number {
  return (a ? 1 : 0) | (b ? 2 : 0) | (c ? 4 : 0) | (d ? 8 : 0) | (e ? 16 : 0);
}

/** A text for each value of `bits`. */
function forFlags(count: number, write: (...flags: boolean[]) => string): readonly string[] {
  return Array.from({ length: 2 ** count }, (_, value) =>
    write(...Array.from({ length: count }, (_, bit) => (value & (1 << bit)) !== 0)),
  );
}

function forEach<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

const REASON_TEXTS = forEach(REASON_CODES, (code) => `{"code":"${code}","signal":"${REASONS[code].signal}"}`);

const LISTED = forFlags(
  3,
  (disposable, relay, spam) =>
    `],"signals":{"email":{"disposable":${disposable},"relay_domain":${relay},"spam_domain":${spam},"domain":"`,
);

/** An outage of DNS must not turn people away: only proven faults make a domain invalid. */
const MAIL = forEach(MX_STATUSES, (status) =>
  forFlags(
    2,
    (consumer, role) =>
      `,"mx_valid":${status === 'valid' || status === 'unknown'},"mx_status":"${status}","public_domain":${consumer},"role_account":${role}`,
  ),
);

const MAIL_UNWANTED = ',"mail_unwanted":true';

const NETWORK = forFlags(
  5,
  (tor, vpn, proxy, relay, datacenter) =>
    `","tor":${tor},"vpn":${vpn},"proxy":${proxy},"relay":${relay},"datacenter":${datacenter},"abuse_score":`,
);

const provided = (is: boolean, endOfIp: string) =>
  forEach(IP_STATUSES, (status) => `${endOfIp}},"ip_provided":${is},"ip_status":"${status}","processed_ms":`);
const WITH_IP = provided(true, '"}');
const WITHOUT_IP = provided(false, '');
