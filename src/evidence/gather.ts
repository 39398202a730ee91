/** Gathers all evidence of one attempt in parallel, each part within its own deadline, from one snapshot. */
import { isDocumentation } from '../address/ip.ts';
import type { Intel, NetworkKnowledge } from '../intel/intel.ts';
import type { Awaitable } from '../model/awaitable.ts';
import type { CampaignMatch } from '../model/campaign.ts';
import type {
  EmailEvidence,
  Evidence,
  IpEvidence,
  SharedPlace,
  VelocityEvidence,
} from '../model/evidence.ts';
import type { ListMatch, OfficeMatch } from '../model/list-entry.ts';
import type { EmailAddress, IpAddress } from '../model/signup-attempt.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import {
  BURST,
  type Crowd,
  noneBlocked,
  plainCrowd,
  type VelocityCounts,
  type VelocityEvent,
  type VelocityVoices,
  type VoiceCount,
} from '../model/velocity-event.ts';
import type { DomainOutcomes } from './domain-outcomes.ts';
import type { EmailAsker, GatherEmail } from './gather-email.ts';
import type { GoodReports } from './good-reports.ts';
import { addAbuse, NO_REPUTATION, type Reputation, type ReputationLookup } from './sources/reputation.ts';
import { mayBeUsual, withUsual } from './usual-domain.ts';

/** One attempt with everything that evidence is gathered about, and the keys it is counted under. */
export interface Subject extends VelocityEvent, EmailAsker {
  readonly email: EmailAddress;
  /** `null` without a usable public IP. */
  readonly ip: IpAddress | null;
}

/** Counts of how often the keys of an attempt were seen, itself included, and who is behind a burst. */
export interface CountedVelocity {
  readonly counts: VelocityCounts;
  readonly voices: VelocityVoices;
}

export type Gatherer = 'email' | 'ip';
/** Evidence, at once if all is in memory. Never rejects. */
export type Gather = (subject: Subject, velocity: CountedVelocity) => Awaitable<Evidence>;

/** Addresses of one mailbox within the last months, the one of the attempt included. */
export interface MailboxMonths {
  readonly all: number;
  /** Addresses that count against the attempt. */
  readonly voices: number;
  /** Days that were looked back. */
  readonly days: number;
}

export interface GatherOptions {
  readonly gatherEmail: GatherEmail;
  /** The active snapshot; read once per attempt, so that no attempt mixes two. */
  readonly intel: () => Intel;
  /** The own lists of all accounts. */
  readonly ownLists: {
    find(subject: Subject, ip: IpEvidence | null): ListMatch | null;
    /** The shared office that it comes from. */
    findOffice(subject: Subject, ip: IpEvidence | null): OfficeMatch | null;
  };
  /** Open campaigns and usual domains of all accounts; without it no attempt belongs to one. */
  readonly campaigns?: {
    find(subject: Subject, email: EmailEvidence, ip: IpEvidence | null): CampaignMatch | null;
    /** The domain, or the one that it is below, as it is usual for the account. @param at milliseconds since the epoch */
    usual(account: string, domain: string, at: number): UsualDomain | undefined;
  };
  /** Mailboxes of all accounts that signed up with several addresses within the last months; without it none did. */
  readonly mailboxes?: { count(subject: Subject): MailboxMonths | null };
  /** Reports of accounts about domains; without it no domain is known to an account. */
  readonly goodReports?: GoodReports;
  /** Outcomes of people of a domain; without it, nothing is known. */
  readonly outcomes?: DomainOutcomes;
  /** Look-up by address; `undefined` without upstreams. */
  readonly ipReputation: ReputationLookup<IpAddress> | undefined;
  /** Called with the time that each gatherer took, its own waits included, milliseconds. */
  readonly observe: (gatherer: Gatherer, milliseconds: number) => void;
}

export function createGather(options: GatherOptions): Gather {
  const {
    gatherEmail,
    intel: currentIntel,
    ownLists,
    campaigns,
    mailboxes,
    goodReports,
    outcomes,
    ipReputation,
    observe,
  } = options;
  const measure = createMeasure(observe);

  function withNorm(email: EmailEvidence, { account, at }: Subject): EmailEvidence {
    if (campaigns === undefined || email.consumer) return email;
    const usual = campaigns.usual(account, email.domain, at);
    if (usual !== undefined && outcomes?.isBouncing(account, email.domain) === true) return email;
    return withUsual(email, usual, at);
  }

  /** Reports matter to the standing only if many of one domain come, so that they are not read for every account. */
  function withReports(
    email: EmailEvidence,
    { account }: Subject,
    { domain1h }: VelocityCounts,
  ): EmailEvidence {
    if (domain1h < MANY || !canBeKnown(email)) return email;
    const { domain } = email;
    const isKnown = goodReports?.isGood(account, domain) || outcomes?.isKnown(account, domain);
    return isKnown === true ? { ...email, standing: 'known' } : email;
  }

  return (subject, velocity) => {
    const intel = currentIntel();
    const started = performance.now();
    const gatheringIp = subject.ip === null ? null : gatherIp(subject.ip, intel, ipReputation);
    const afterIp = performance.now();
    const gatheringEmail = gatherEmail(subject.email, intel, subject);
    const ended = performance.now();
    const ip = gatheringIp === null ? null : measure('ip', gatheringIp, started, afterIp);
    const email = measure('email', gatheringEmail, afterIp, ended);
    const toEvidence = (gathered: EmailEvidence, ip: IpEvidence | null) => {
      const email = withNorm(gathered, subject);
      return compose(
        intel.id,
        withReports(email, subject, velocity.counts),
        ip,
        ownLists.find(subject, ip),
        ownLists.findOffice(subject, ip),
        toVelocity(subject, velocity, email, mailboxes === undefined ? null : mailboxes.count(subject)),
        campaigns === undefined ? null : campaigns.find(subject, email, ip),
      );
    };
    if (email instanceof Promise) return email.then(async (gathered) => toEvidence(gathered, await ip));
    return ip instanceof Promise ? ip.then((gathered) => toEvidence(email, gathered)) : toEvidence(email, ip);
  };
}

/** Both gatherers wait at once, so one that waits is measured until its own end; another one has ended at `now`. */
function createMeasure(observe: GatherOptions['observe']) {
  return <T>(gatherer: Gatherer, gathering: Awaitable<T>, started: number, now: number): Awaitable<T> => {
    if (!(gathering instanceof Promise)) {
      observe(gatherer, now - started);
      return gathering;
    }
    return gathering.then((evidence) => {
      observe(gatherer, performance.now() - started);
      return evidence;
    });
  };
}

/** Fewer addresses of a domain in an hour are no burst. */
const MANY = 5;

/** A domain that strangers share, or that something is said against, is known to nobody. */
function canBeKnown(email: EmailEvidence): boolean {
  return mayBeUsual(email) && email.standing !== 'institution';
}

function compose(
  snapshot: string,
  email: EmailEvidence,
  ip: IpEvidence | null,
  list: ListMatch | null,
  office: OfficeMatch | null,
  velocity: VelocityEvidence,
  campaign: CampaignMatch | null,
): Evidence {
  return { snapshot, email, ip, velocity, list, office, campaign };
}

/** One literal, so that all have the same shape. The people behind a count are asked for only where there is a burst that counts. */
function toVelocity(
  subject: Subject,
  velocity: CountedVelocity,
  email: EmailEvidence,
  months: MailboxMonths | null,
): VelocityEvidence {
  const isShared = email.consumer || email.relay || email.strangers;
  const { counts } = velocity;
  const ofIp = counts.network1h < BURST.network1h ? NO_CROWD : velocity.voices.networkMailboxes1h();
  const ofDomain = counts.domain1h < BURST.domain1h || isShared ? NO_CROWD : velocity.voices.domainVoices1h();
  const ofMailbox =
    counts.mailbox24h < BURST.mailbox24h ? NO_VOICES : mailboxVoicesOf(subject, velocity.voices, counts);
  return {
    ip1h: counts.network1h,
    ip24h: counts.network24h,
    domain1h: counts.domain1h,
    domain24h: counts.domain24h,
    mailbox24h: counts.mailbox24h,
    ipMailboxes1h: ofIp.all,
    domainVoices1h: ofDomain.all,
    mailboxVoices24h: ofMailbox.all,
    ipBlocked1h: ofIp.blocked,
    domainBlocked1h: ofDomain.blocked,
    mailboxBlocked24h: ofMailbox.blocked,
    ipOwnDomain1h: ofIp.ofDomain,
    ipNamed1h: ofIp.named,
    domainNamed1h: ofDomain.named,
    named: subject.named === true,
    broughtBy: subject.broughtBy ?? '',
    mailbox90d: months === null ? 0 : months.all,
    mailboxVoices90d: months === null ? 0 : months.voices,
    mailboxDays: months === null ? 0 : months.days,
    partial: counts.partial,
  };
}

const NO_VOICES: VoiceCount = noneBlocked(0);
const NO_CROWD: Crowd = plainCrowd(0);

/** Max. voices that other networks are against an address that its owner may write so: enough to ask her, not to block her. */
const MAX_FROM_ELSEWHERE = 4;

/** The canonical spelling answers for its own network alone; where nobody's network is known, the mailbox's very name for nothing. */
function mailboxVoicesOf(
  { spelling, network, addressHash, mailbox }: Subject,
  voices: VelocityVoices,
  { mailbox24h }: VelocityCounts,
): VoiceCount {
  const { own, others } = voices.mailboxVoices24h();
  if (spelling === 'canonical') return network === null && addressHash === mailbox ? noneBlocked(1) : own;
  const counted = Math.min(mailbox24h, own.all + others.all);
  const all = spelling === 'tagged' ? counted : Math.min(counted, Math.max(own.all, MAX_FROM_ELSEWHERE));
  // Where not all count, those count that were not blocked.
  const heard = own.all - own.blocked + others.all - others.blocked;
  return { all, blocked: Math.max(0, all - heard) };
}

/**
 * Special ranges never get here, except those for documentation: no service is asked about these.
 * @param reputation `undefined` without upstreams
 */
function gatherIp(
  address: IpAddress,
  intel: Intel,
  reputation: ReputationLookup<IpAddress> | undefined,
): Awaitable<IpEvidence> {
  const known = intel.network(address);
  if (reputation === undefined || isDocumentation(address)) return composeIp(address, known, NO_REPUTATION);
  return reputation.lookup(address).then((found) => composeIp(address, known, found));
}

/** A relay's address may lie in a carrier's network: what is said of fewer addresses goes first. */
function sharedPlaceOf({ relay, corporate, egress, carrier }: NetworkKnowledge['listed']): SharedPlace {
  if (relay) return 'relay';
  if (corporate) return 'proxy';
  if (egress) return 'egress';
  return carrier ? 'carrier' : '';
}

function composeIp(address: IpAddress, known: NetworkKnowledge, reputation: Reputation): IpEvidence {
  const { listed } = known;
  return {
    address: address.text,
    tor: listed.tor,
    vpn: listed.vpn,
    proxy: listed.proxy,
    relay: listed.relay,
    datacenter: listed.datacenter,
    sharedPlace: sharedPlaceOf(listed),
    sharedByKey: false,
    abuseScore: addAbuse(known.abuseScore, reputation),
    countryCode: known.countryCode,
    country: known.country,
    asn: known.asn,
    hits: reputation.hits.length === 0 ? known.hits : [...known.hits, ...reputation.hits],
    unknown: reputation.unknown,
  };
}
