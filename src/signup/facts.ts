/** Writes the findings and evidence of a signup as compact text. This text and the stored columns are enough to rebuild answer and explanation. */
import { writeNameFacts } from '../address/name-facts.ts';
import type { Assessment } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import { CAMPAIGN_FACT, CAMPAIGN_FAMILIES, type CampaignMatch } from '../model/campaign.ts';
import {
  type Evidence,
  type Hit,
  type IpEvidence,
  MX_STATUSES,
  SHARED_PLACES,
  STANDINGS,
} from '../model/evidence.ts';
import type { Finding } from '../model/finding.ts';
import { NAME_FACT } from '../model/name-facts.ts';
import type { Thresholds } from '../model/policy.ts';
import { BROUGHT_BY, IP_STATUSES, type IpStatus } from '../model/signup-attempt.ts';
import { BROUGHT_FACT, NAMED_FACT } from '../model/velocity-facts.ts';
import { quote } from '../platform/json-text.ts';
import { OTHER_EMAIL_FACTS, OTHER_IP_FACTS, OTHER_VELOCITY_FACTS } from './other-facts.ts';

/** Everything about an assessment that is not in a column. */
export interface Facts {
  /** Version of the policy that decided. */
  readonly policy: string;
  /** Thresholds that the score was measured against. */
  readonly thresholds: Thresholds;
  readonly findings: readonly Finding<ReasonCode>[];
  readonly evidence: Evidence;
  readonly ipStatus: IpStatus;
  /** The part of the address before the `@`; empty unless the answer suggests another address. */
  readonly local: string;
  readonly challenge: Assessment['challenge'];
}

/**
 * Texts of version 1 stay stored for years: `readFacts` must always read them. So the places below, the bits of a flag and
 * the orders of the statuses never change. A new fact is a pair at the end: a number, true or false needs no line here
 * (`other-facts.ts`), a text needs one.
 */
export const FACTS_VERSION = 1;

/** A bit each, of one number. Named one by one where they are used: a loop over names would cost as much as all the rest. */
export const EMAIL_FLAG = {
  disposable: 1,
  disposableDisputed: 1 << 1,
  relay: 1 << 2,
  spam: 1 << 3,
  consumer: 1 << 4,
  role: 1 << 5,
  alias: 1 << 6,
  strangers: 1 << 15,
  respelled: 1 << 17,
} as const satisfies { readonly [Name in keyof Evidence['email']]?: number };
export const FLAG = { unanswered: 1 << 7, partial: 1 << 8, ip: 1 << 9 } as const;
export const IP_FLAG = {
  tor: 1 << 10,
  vpn: 1 << 11,
  proxy: 1 << 12,
  relay: 1 << 13,
  datacenter: 1 << 14,
  sharedByKey: 1 << 16,
} as const satisfies { readonly [Name in keyof IpEvidence]?: number };

export const AGE_STATUSES = [
  'known',
  'late',
  'unlisted',
  'unavailable',
] as const satisfies readonly Evidence['email']['age']['status'][];

export const CAMPAIGN_FLAG = { sure: 1, confirmed: 1 << 1 } as const;

export const BRINGERS = ['', ...BROUGHT_BY] as const;

/**
 * A JSON list: version, snapshot, policy, both thresholds, findings, flags, status of the IP, of the mail exchange and of the
 * age, age in days, five counts, three counts of voices, those of each that were blocked, who brings the person, the domain's
 * standing; with an IP its abuse score, shared place and country; then pairs of a name and a value that is not empty.
 * @param reasons as they are stored with it: findings name their code by its place there
 */
export function writeFacts(facts: Facts, reasons: readonly ReasonCode[]): string {
  const { findings, evidence, ipStatus } = facts;
  const { email, ip, velocity } = evidence;
  const { age } = email;
  const network =
    ip === null ? '' : `,${ip.abuseScore},${SHARED_PLACES.indexOf(ip.sharedPlace)},${quote(ip.country)}`;
  const { ip1h, ip24h, domain1h, domain24h, mailbox24h } = velocity;
  // Few pieces: each costs when it is added, and again when the text is copied together.
  return `${settingsText(facts)}${writeFindings(findings, reasons)}],${flagsOf(evidence)}${statusesText(ipStatus, email)}${age.days},${ip1h},${ip24h},${domain1h},${domain24h},${mailbox24h}${voicesText(evidence)}${network}${writeRest(facts)}]`;
}

const STATUSES = IP_STATUSES.map((_, ip) =>
  MX_STATUSES.map((_, mx) => AGE_STATUSES.map((_, age) => `,${ip},${mx},${age},`)),
);

function statusesText(ipStatus: IpStatus, { mx, age }: Evidence['email']): string {
  const ofIp = STATUSES[IP_STATUSES.indexOf(ipStatus)] as string[][];
  const ofMx = ofIp[MX_STATUSES.indexOf(mx.status)] as string[];
  return ofMx[AGE_STATUSES.indexOf(age.status)] as string;
}

const NO_VOICES = ',0,0,0,0,0,0,0,0';

/** Nearly all signups have none. */
function voicesText({ email: { standing }, velocity }: Evidence): string {
  const { ipMailboxes1h, domainVoices1h, mailboxVoices24h, broughtBy } = velocity;
  const { ipBlocked1h, domainBlocked1h, mailboxBlocked24h } = velocity;
  const isEmpty =
    ipMailboxes1h === 0 &&
    domainVoices1h === 0 &&
    mailboxVoices24h === 0 &&
    ipBlocked1h === 0 &&
    domainBlocked1h === 0 &&
    mailboxBlocked24h === 0 &&
    broughtBy === '' &&
    standing === '';
  if (isEmpty) return NO_VOICES;
  const voices = `,${ipMailboxes1h},${domainVoices1h},${mailboxVoices24h}`;
  const blocked = `,${ipBlocked1h},${domainBlocked1h},${mailboxBlocked24h}`;
  return `${voices}${blocked},${BRINGERS.indexOf(broughtBy)},${STANDINGS.indexOf(standing)}`;
}

/** The beginning, up to the findings. */
function settingsText({ evidence: { snapshot }, policy, thresholds: { challenge, block } }: Facts): string {
  return `[${FACTS_VERSION},${quote(snapshot)},${quote(policy)},${challenge},${block},[`;
}

function writeFindings(findings: Facts['findings'], reasons: readonly ReasonCode[]): string {
  let text = '';
  for (const { detector, code, weight } of findings) {
    const finding = `${quote(detector)},${weight},${reasons.indexOf(code)}`;
    text = text === '' ? finding : `${text},${finding}`;
  }
  return text;
}

function flagsOf({ email, ip, velocity }: Evidence): number {
  const flags =
    (email.disposable ? EMAIL_FLAG.disposable : 0) |
    (email.disposableDisputed ? EMAIL_FLAG.disposableDisputed : 0) |
    (email.relay ? EMAIL_FLAG.relay : 0) |
    (email.spam ? EMAIL_FLAG.spam : 0) |
    (email.consumer ? EMAIL_FLAG.consumer : 0) |
    (email.role ? EMAIL_FLAG.role : 0) |
    (email.alias ? EMAIL_FLAG.alias : 0) |
    (email.strangers ? EMAIL_FLAG.strangers : 0) |
    (email.respelled ? EMAIL_FLAG.respelled : 0) |
    (email.mx.unanswered === true ? FLAG.unanswered : 0) |
    (velocity.partial ? FLAG.partial : 0);
  return ip === null ? flags : flags | FLAG.ip | networkFlags(ip);
}

function networkFlags({ tor, vpn, proxy, relay, datacenter, sharedByKey }: IpEvidence): number {
  return (
    (tor ? IP_FLAG.tor : 0) |
    (vpn ? IP_FLAG.vpn : 0) |
    (proxy ? IP_FLAG.proxy : 0) |
    (relay ? IP_FLAG.relay : 0) |
    (datacenter ? IP_FLAG.datacenter : 0) |
    (sharedByKey ? IP_FLAG.sharedByKey : 0)
  );
}

/** Writes what most signups lack, but for the hosts. */
function writeRest({ evidence, local, challenge }: Facts): string {
  const { email, ip, velocity, list, office, campaign } = evidence;
  const { mx, hits, unknown, sharedSuffix, victim, providerMeant, disposableHost: host } = email;
  let rest = '';
  if (mx.hosts.length > 0) rest = `,"hosts",${writeTexts(mx.hosts)}`;
  if (hits.length > 0) rest += `,"hits",${writeHits(hits)}`;
  if (unknown.length > 0) rest += `,"unknown",${writeTexts(unknown)}`;
  if (sharedSuffix !== '') rest += `,"suffix",${quote(sharedSuffix)}`;
  if (victim !== '') rest += `,"victim","${victim}"`;
  if (providerMeant !== '') rest += `,"meant",[${quote(providerMeant)},${quote(local)}]`;
  if (host.name !== '') rest += `,"host",[${quote(host.name)},${quote(host.matched)},${host.serves}]`;
  if (ip !== null && ip.hits.length > 0) rest += `,"ipHits",${writeHits(ip.hits)}`;
  if (ip !== null && ip.unknown.length > 0) rest += `,"ipUnknown",${writeTexts(ip.unknown)}`;
  if (list !== null)
    rest += `,"list",${JSON.stringify([list.id, list.action, list.kind, list.value, list.reason])}`;
  if (office !== null)
    rest += `,"office",${JSON.stringify([office.id, office.kind, office.value, office.reason])}`;
  if (campaign !== null) rest += `,"${CAMPAIGN_FACT}",${writeCampaign(campaign)}`;
  if (challenge !== undefined)
    rest += `,"challenge",[${quote(challenge.token)},${quote(challenge.expires_at)}]`;
  if (velocity.broughtBy !== '') rest += BROUGHT_FACT;
  if (velocity.named) rest += NAMED_FACT;
  const name = writeNameFacts(email.name);
  if (name !== '') rest += `,"${NAME_FACT}","${name}"`;
  rest += OTHER_EMAIL_FACTS.write(email) + OTHER_VELOCITY_FACTS.write(velocity);
  return ip === null ? rest : rest + OTHER_IP_FACTS.write(ip);
}

/** Ten values; families by their places, whether it is sure and confirmed as bits of one number. */
function writeCampaign(match: CampaignMatch): string {
  const { id, scope, scopeText, mark, markText, members, usual, decades, families } = match;
  const places = families.map((family) => CAMPAIGN_FAMILIES.indexOf(family));
  const flags = (match.sure ? CAMPAIGN_FLAG.sure : 0) | (match.confirmed ? CAMPAIGN_FLAG.confirmed : 0);
  return JSON.stringify([id, scope, scopeText, mark, markText, members, usual, decades, places, flags]);
}

/** Four values a hit; 0 for the version of a source that has none. */
function writeHits(hits: readonly Hit[]): string {
  let text = '[';
  for (const { fact, source, entry, version } of hits) {
    const release = version === undefined ? '0' : quote(version);
    text += `${text === '[' ? '' : ','}${quote(fact)},${quote(source)},${quote(entry)},${release}`;
  }
  return `${text}]`;
}

function writeTexts(texts: readonly string[]): string {
  let text = '[';
  for (const each of texts) text += `${text === '[' ? '' : ','}${quote(each)}`;
  return `${text}]`;
}
