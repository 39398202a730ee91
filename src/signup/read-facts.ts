/** Reads the facts of a stored assessment: evidence and findings, as they were when it was made. */
import { readNameFacts } from '../address/name-facts.ts';
import type { Assessment } from '../contract/messages.ts';
import type { ReasonCode } from '../contract/reasons.ts';
import {
  CAMPAIGN_FAMILIES,
  type CampaignFamily,
  type CampaignMark,
  type CampaignScope,
} from '../model/campaign.ts';
import {
  EMPTY_EMAIL,
  EMPTY_IP,
  EMPTY_VELOCITY,
  type Evidence,
  type Hit,
  type IpEvidence,
  type MailExchange,
  MX_STATUSES,
  type MxStatus,
  SHARED_PLACES,
  type SharedPlace,
  STANDINGS,
  type Standing,
  type Victim,
} from '../model/evidence.ts';
import type { ListMatch, OfficeMatch } from '../model/list-entry.ts';
import { type BroughtBy, IP_STATUSES } from '../model/signup-attempt.ts';
import {
  AGE_STATUSES,
  BRINGERS,
  CAMPAIGN_FLAG,
  EMAIL_FLAG,
  FACTS_VERSION,
  type Facts,
  FLAG,
  IP_FLAG,
} from './facts.ts';
import { OTHER_EMAIL_FACTS, OTHER_IP_FACTS, OTHER_VELOCITY_FACTS } from './other-facts.ts';

/** The columns that facts do not repeat. */
export interface FactsHead {
  readonly reasons: readonly ReasonCode[];
  readonly emailDomain: string;
  readonly ip: string | null;
  readonly countryCode: string;
  readonly asn: number;
}

/** Places of the list. They are read by their numbers: taking it apart would go through it one by one, for each assessment that is read. */
type Places = readonly unknown[];

/** Values of a campaign, in the order of `writeCampaign`. */
type StoredCampaign = readonly [
  id: string,
  scope: CampaignScope,
  scopeText: string,
  mark: CampaignMark,
  markText: string,
  members: number,
  usual: number,
  decades: number,
  families: readonly number[],
  flags: number,
];

/** The pairs at the end of the list. */
interface Rest {
  readonly [name: string]: unknown;
  readonly hosts?: readonly string[];
  readonly hits?: readonly (string | 0)[];
  readonly unknown?: readonly string[];
  readonly suffix?: string;
  readonly name?: string;
  readonly victim?: Victim;
  readonly meant?: readonly [domain: string, local: string];
  readonly host?: readonly [name: string, matched: string, serves: number];
  readonly ipHits?: readonly (string | 0)[];
  readonly ipUnknown?: readonly string[];
  readonly list?: readonly [string, ListMatch['action'], ListMatch['kind'], string, string | null];
  readonly office?: readonly [string, OfficeMatch['kind'], string, string | null];
  readonly campaign?: StoredCampaign;
  readonly challenge?: readonly [token: string, expiresAt: string];
  readonly named?: true;
}

/** Places where the counts of velocity begin, those of voices, and what there is with an IP. */
const VELOCITY = 11;
const VOICES = 16;
const IP = 24;

/** @throws when it is no text that `writeFacts` wrote, in this version or an older one */
export function readFacts(text: string, head: FactsHead): Facts {
  const { places, flags, rest } = readPlaces(text);
  return {
    policy: places[2] as string,
    thresholds: { challenge: places[3] as number, block: places[4] as number },
    findings: readFindings(places[5] as readonly (string | number)[], head.reasons),
    evidence: {
      snapshot: places[1] as string,
      email: readEmail(places, flags, rest, head),
      ip: readIp(places, flags, rest, head),
      velocity: readVelocity(places, flags, rest),
      list: readList(rest.list),
      office: readOffice(rest.office),
      campaign: readCampaign(rest.campaign),
    },
    ipStatus: IP_STATUSES[places[7] as number] as Facts['ipStatus'],
    local: rest.meant?.[1] ?? '',
    challenge: readChallenge(rest.challenge),
  };
}

/** The evidence about address and network alone: half the work for who reads millions. @throws as `readFacts` */
export function readSources(text: string, head: Omit<FactsHead, 'reasons'>): Pick<Evidence, 'email' | 'ip'> {
  const { places, flags, rest } = readPlaces(text);
  return { email: readEmail(places, flags, rest, head), ip: readIp(places, flags, rest, head) };
}

function readPlaces(text: string) {
  const places = JSON.parse(text) as Places;
  if (places[0] !== FACTS_VERSION)
    throw new Error('the assessment was stored by a newer version of Gatehouse');
  const flags = places[6] as number;
  return { places, flags, rest: readRest(places, (flags & FLAG.ip) === 0 ? IP : IP + 3) };
}

function readRest(places: Places, from: number): Rest {
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
  places: Places,
  flags: number,
  rest: Rest,
  head: Pick<FactsHead, 'emailDomain'>,
): Evidence['email'] {
  const { hosts = [], hits = [], unknown = [], suffix = '', name = '', victim = '', meant, host } = rest;
  const facts = {
    ...EMPTY_EMAIL,
    domain: head.emailDomain,
    disposable: (flags & EMAIL_FLAG.disposable) !== 0,
    disposableDisputed: (flags & EMAIL_FLAG.disposableDisputed) !== 0,
    disposableHost:
      host === undefined ? EMPTY_EMAIL.disposableHost : { name: host[0], matched: host[1], serves: host[2] },
    relay: (flags & EMAIL_FLAG.relay) !== 0,
    spam: (flags & EMAIL_FLAG.spam) !== 0,
    consumer: (flags & EMAIL_FLAG.consumer) !== 0,
    strangers: (flags & EMAIL_FLAG.strangers) !== 0,
    standing: STANDINGS[places[VOICES + 7] as number] as Standing,
    sharedSuffix: suffix,
    role: (flags & EMAIL_FLAG.role) !== 0,
    alias: (flags & EMAIL_FLAG.alias) !== 0,
    respelled: (flags & EMAIL_FLAG.respelled) !== 0,
    name: readNameFacts(name),
    victim,
    providerMeant: meant?.[0] ?? '',
    mx: readExchange(MX_STATUSES[places[8] as number] as MxStatus, hosts, flags),
    age: {
      days: places[10] as number,
      status: AGE_STATUSES[places[9] as number] as Evidence['email']['age']['status'],
    },
    hits: readHits(hits),
    unknown,
  };
  return OTHER_EMAIL_FACTS.read(facts, rest);
}

function readExchange(status: MxStatus, hosts: readonly string[], flags: number): MailExchange {
  return (flags & FLAG.unanswered) === 0 ? { status, hosts } : { status, hosts, unanswered: true };
}

function readIp(
  places: Places,
  flags: number,
  rest: Rest,
  { ip, countryCode, asn }: Omit<FactsHead, 'reasons'>,
): IpEvidence | null {
  if ((flags & FLAG.ip) === 0) return null;
  const { ipHits = [], ipUnknown = [] } = rest;
  const facts = {
    ...EMPTY_IP,
    address: ip ?? '',
    tor: (flags & IP_FLAG.tor) !== 0,
    vpn: (flags & IP_FLAG.vpn) !== 0,
    proxy: (flags & IP_FLAG.proxy) !== 0,
    relay: (flags & IP_FLAG.relay) !== 0,
    datacenter: (flags & IP_FLAG.datacenter) !== 0,
    sharedPlace: SHARED_PLACES[places[IP + 1] as number] as SharedPlace,
    sharedByKey: (flags & IP_FLAG.sharedByKey) !== 0,
    abuseScore: places[IP] as number,
    countryCode,
    country: places[IP + 2] as string,
    asn,
    hits: readHits(ipHits),
    unknown: ipUnknown,
  };
  return OTHER_IP_FACTS.read(facts, rest);
}

function readVelocity(places: Places, flags: number, rest: Rest): Evidence['velocity'] {
  const facts = {
    ...EMPTY_VELOCITY,
    ip1h: places[VELOCITY] as number,
    ip24h: places[VELOCITY + 1] as number,
    domain1h: places[VELOCITY + 2] as number,
    domain24h: places[VELOCITY + 3] as number,
    mailbox24h: places[VELOCITY + 4] as number,
    ipMailboxes1h: places[VOICES] as number,
    domainVoices1h: places[VOICES + 1] as number,
    mailboxVoices24h: places[VOICES + 2] as number,
    ipBlocked1h: places[VOICES + 3] as number,
    domainBlocked1h: places[VOICES + 4] as number,
    mailboxBlocked24h: places[VOICES + 5] as number,
    broughtBy: BRINGERS[places[VOICES + 6] as number] as BroughtBy | '',
    named: rest.named === true,
    partial: (flags & FLAG.partial) !== 0,
  };
  return OTHER_VELOCITY_FACTS.read(facts, rest);
}

function readHits(places: readonly (string | 0)[]): Hit[] {
  const hits: Hit[] = [];
  for (let at = 0; at < places.length; at += 4) {
    const fact = places[at] as string;
    const source = places[at + 1] as string;
    const entry = places[at + 2] as string;
    const version = places[at + 3] as string | 0;
    hits.push(version === 0 ? { fact, source, entry } : { fact, source, entry, version });
  }
  return hits;
}

function readList(list: Rest['list']): Evidence['list'] {
  if (list === undefined) return null;
  const [id, action, kind, value, reason] = list;
  return { id, action, kind, value, reason };
}

function readOffice(office: Rest['office']): Evidence['office'] {
  if (office === undefined) return null;
  const [id, kind, value, reason] = office;
  return { id, kind, value, reason };
}

function readCampaign(stored: Rest['campaign']): Evidence['campaign'] {
  if (stored === undefined) return null;
  const [id, scope, scopeText, mark, markText, members, usual, decades, places, flags] = stored;
  return {
    id,
    scope,
    scopeText,
    mark,
    markText,
    members,
    usual,
    decades,
    families: places.map((place) => CAMPAIGN_FAMILIES[place] as CampaignFamily),
    sure: (flags & CAMPAIGN_FLAG.sure) !== 0,
    confirmed: (flags & CAMPAIGN_FLAG.confirmed) !== 0,
  };
}

function readChallenge(challenge: Rest['challenge']): Assessment['challenge'] {
  if (challenge === undefined) return undefined;
  const [token, expiresAt] = challenge;
  return { token, expires_at: expiresAt };
}
