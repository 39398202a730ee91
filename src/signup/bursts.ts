/** Decides what a burst weighs: by the people behind it, and by what else is known of the signup. */
import type { Evidence, VelocityEvidence } from '../model/evidence.ts';
import { MAX_MAILBOX_ADDRESSES } from '../model/mailbox-address.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { BURST } from '../model/velocity-event.ts';
import { describeNorm } from './norm-words.ts';

/** Max. points of a burst alone: it never blocks. */
const LIMIT_ALONE = DEFAULT_THRESHOLDS.block - 1;
/** Max. points with an accusation. */
const LIMIT = 90;
/**
 * Max. points of a burst whose domain has a good reputation, or whose people look like people: it is not challenged for its
 * rate, with other small findings either.
 */
const LIMIT_EXPECTED = 9;
/** Max. points of a burst at a domain that strangers share, together with the finding that it is free mail. */
const LIMIT_OF_SHARED = 1;
const OLD_DAYS = 3 * 365;
/** Min. share of the people behind one address who have the domain, where it is the address of an office or a campus. */
const MIN_COLLEAGUES = 0.8;
/** Min. share of people whose addresses have names, where they look like people: `isHumanName` misses some. */
const MIN_NAMED = 0.6;
/** Max. addresses of a domain in an hour that names speak for: more than a school has. */
const MAX_NAMED = 300;
/** Share that people at a shared place count: as many strangers come from it as from four other addresses. */
const SHARE_OF_SHARED_PLACE = 1 / 4;
/**
 * Max. blocked voices that count together against a signup without an accusation: with itself one too few for a burst. So
 * nobody shuts a door for others with signups that are blocked themselves. Against a signup with an accusation all count:
 * the members of a farm that is being blocked have one as a rule, and do not escape.
 */
const MAX_BLOCKED = {
  ip1h: BURST.network1h - 2,
  domain1h: BURST.domain1h - 2,
  mailboxVoices24h: BURST.mailbox24h - 2,
} as const;

const TRIGGERS = {
  ip1h: BURST.network1h,
  domain1h: BURST.domain1h,
  mailboxVoices24h: BURST.mailbox24h,
} as const satisfies { readonly [Count in keyof VelocityEvidence]?: number };

/**
 * Whether the count is reported. People whom somebody brings are no burst; an address of everybody is nobody's. A shared office
 * explains that many come together, but not that one mailbox has many addresses.
 */
export function burstApplies(count: keyof typeof TRIGGERS): (evidence: Evidence) => boolean {
  return ({ ip, velocity, office }) => {
    if (velocity.broughtBy !== '') return false;
    if (office !== null && count !== 'mailboxVoices24h') return false;
    if (count === 'ip1h' && (ip === null || ip.sharedByKey)) return false;
    if (count === 'mailboxVoices24h') return mailboxVoicesOf(velocity) >= TRIGGERS.mailboxVoices24h;
    return velocity[count] >= TRIGGERS[count];
  };
}

/** Whether a third address of the mailbox within months is reported. */
export function monthsApply({ velocity }: Evidence): boolean {
  return velocity.broughtBy === '' && velocity.mailboxVoices90d >= BURST.mailbox24h;
}

/** Whether unrelated people are known to come from the address. */
export function isSharedPlace({ ip }: Evidence): boolean {
  if (ip === null) return false;
  return ip.sharedPlace !== '' || (ip.relay && !ip.tor && !ip.vpn && !ip.proxy);
}

/** Whether there is a burst at a domain that strangers share, which says next to nothing. */
export function isSharedBurst(evidence: Evidence): boolean {
  const { broughtBy, domain1h } = evidence.velocity;
  return (
    isSharedDomain(evidence) && broughtBy === '' && evidence.office === null && domain1h >= TRIGGERS.domain1h
  );
}

function isSharedDomain({ email }: Evidence): boolean {
  return email.consumer || email.relay || email.strangers;
}

export function weighIpBurst(base: number, evidence: Evidence, isAccused: boolean): number {
  const { velocity } = evidence;
  const people = isAccused
    ? peopleOf(velocity)
    : withoutBlocked(peopleOf(velocity), velocity.ipBlocked1h, MAX_BLOCKED.ip1h);
  const weight = weigh(base, isExpectedTogether(evidence) ? people * SHARE_OF_SHARED_PLACE : people, {
    trigger: TRIGGERS.ip1h,
    alone: 10,
    accused: 15,
    isAccused,
  });
  return !isAccused && areColleagues(evidence) ? Math.min(LIMIT_EXPECTED, weight) : weight;
}

export function weighDomainBurst(base: number, evidence: Evidence, isAccused: boolean): number {
  if (isSharedBurst(evidence))
    return Math.min(base, evidence.email.consumer ? LIMIT_OF_SHARED / 2 : LIMIT_OF_SHARED);
  const { velocity } = evidence;
  const all = voicesOf(velocity);
  const plain = withoutBlocked(all, velocity.domainBlocked1h, MAX_BLOCKED.domain1h);
  const curve = { trigger: TRIGGERS.domain1h, alone: 15, accused: 15 };
  if (hasStanding(evidence))
    return Math.min(LIMIT_EXPECTED, weigh(base, plain, { ...curve, isAccused: false }));
  const weight = weigh(base, isAccused ? all : plain, { ...curve, isAccused });
  return !isAccused && haveNames(evidence) ? Math.min(LIMIT_EXPECTED, weight) : weight;
}

export function weighMailboxFarm(base: number, { velocity }: Evidence, isAccused: boolean): number {
  const all = mailboxVoicesOf(velocity);
  const voices = isAccused
    ? all
    : withoutBlocked(all, velocity.mailboxBlocked24h, MAX_BLOCKED.mailboxVoices24h);
  const weight = base + 20 * Math.log2(voices / TRIGGERS.mailboxVoices24h);
  return Math.min(isAccused ? LIMIT : LIMIT_ALONE, weight);
}

/** Points beside the base from the third address of a mailbox within months on: four or five are a person who uses tags. */
const POINTS_OF_MONTHS = [0, 6, 12, 20, 24, 28, 31, 33, 36, 38];
const DOUBLED = 10;
const ACCUSED_OF_MONTHS = 1.5;
/** Max. points beside a wave of the same mailbox, which is the same fact. */
const BESIDE_WAVE = 5;

export function weighMailboxMonths(
  base: number,
  { velocity, campaign }: Evidence,
  isAccused: boolean,
): number {
  const { mailboxVoices90d: voices } = velocity;
  const last = POINTS_OF_MONTHS.length - 1;
  const points = POINTS_OF_MONTHS[voices - BURST.mailbox24h] ?? (POINTS_OF_MONTHS[last] as number);
  const more = Math.max(0, Math.log2(voices / (last + BURST.mailbox24h)));
  const weight = Math.min(LIMIT_ALONE, base + points + DOUBLED * more);
  if (campaign?.scope === 'mailbox') return Math.min(BESIDE_WAVE, weight);
  return isAccused ? Math.min(LIMIT, ACCUSED_OF_MONTHS * weight) : weight;
}

interface Curve {
  readonly trigger: number;
  /** Points for each doubling above the trigger, alone and with an accusation. */
  readonly alone: number;
  readonly accused: number;
  readonly isAccused: boolean;
}

/** Alone it starts with half the base. Below the trigger, few people tried often: it weighs as much less. */
function weigh(base: number, count: number, { trigger, alone, accused, isAccused }: Curve): number {
  const start = isAccused ? base : base / 2;
  if (count < trigger) return (start * count) / trigger;
  const weight = start + (isAccused ? accused : alone) * Math.log2(count / trigger);
  return Math.min(isAccused ? LIMIT : LIMIT_ALONE, weight);
}

/** Institutions and the account's own people share addresses as a rule: a campus, an office. */
function isExpectedTogether(evidence: Evidence): boolean {
  const { standing } = evidence.email;
  return isSharedPlace(evidence) || standing === 'institution' || standing === 'known';
}

/**
 * Whether most people behind the address have the domain, as at a company or a school: its standing or their names speak for
 * them. At domains that strangers share, and below their suffixes, a domain says nothing of who has an address there.
 */
function areColleagues(evidence: Evidence): boolean {
  const { email, velocity } = evidence;
  if (isSharedDomain(evidence) || email.sharedSuffix !== '') return false;
  const people = peopleOf(velocity) - velocity.ipBlocked1h;
  if (people <= 0 || velocity.ipOwnDomain1h < MIN_COLLEAGUES * people) return false;
  return hasStanding(evidence) || velocity.ipNamed1h >= MIN_NAMED * people;
}

/** Whether the addresses of the domain look like those of its people. */
function haveNames({ email, velocity }: Evidence): boolean {
  if (email.sharedSuffix !== '' || velocity.domain1h > MAX_NAMED) return false;
  const voices = velocity.domainVoices1h - velocity.domainBlocked1h;
  return voices > 0 && velocity.domainNamed1h >= MIN_NAMED * voices;
}

function hasStanding({ email }: Evidence): boolean {
  return email.standing !== '' || email.age.days >= OLD_DAYS;
}

/** How many count of all voices if only so many of the blocked ones do. */
function withoutBlocked(all: number, blocked: number, maxBlocked: number): number {
  return all - Math.max(0, Math.min(all, blocked) - maxBlocked);
}

/** Few signups have only their count: nobody asked how many people they are. */
function peopleOf({ ip1h, ipMailboxes1h }: VelocityEvidence): number {
  return ipMailboxes1h === 0 ? ip1h : ipMailboxes1h;
}

function voicesOf({ domain1h, domainVoices1h }: VelocityEvidence): number {
  return domainVoices1h === 0 ? domain1h : Math.min(domain1h, domainVoices1h);
}

function mailboxVoicesOf({ mailbox24h, mailboxVoices24h }: VelocityEvidence): number {
  return mailboxVoices24h === 0 ? mailbox24h : mailboxVoices24h;
}

export function describeIpBurst(evidence: Evidence): string {
  const { email, velocity } = evidence;
  const { ip1h, ipMailboxes1h: people } = velocity;
  if (people === 0) return `${ip1h} attempts from this IP within an hour`;
  if (people === 1) return `${ip1h} attempts of one person from this IP within an hour`;
  const attempts = people < ip1h ? ` (${ip1h} attempts)` : '';
  const colleagues = areColleagues(evidence)
    ? `, ${velocity.ipOwnDomain1h} of them at ${email.domain} and ${velocity.ipNamed1h} with a name${normOf(evidence)}`
    : '';
  return `${people} people from this IP within an hour${attempts}${colleagues}${blockedOf(velocity.ipBlocked1h)}`;
}

export function describeDomainBurst(evidence: Evidence): string {
  const { email, velocity } = evidence;
  const { domain1h, domainVoices1h: voices } = velocity;
  const from = voices === 0 ? '' : `, from ${voices} ${voices === 1 ? 'network' : 'networks'}`;
  const named = haveNames(evidence) ? `, ${velocity.domainNamed1h} with a name` : '';
  return `${domain1h} addresses of ${email.domain} within an hour${from}${named}${normOf(evidence)}${blockedOf(velocity.domainBlocked1h)}`;
}

export function describeMailboxFarm({ velocity }: Evidence): string {
  const { mailbox24h } = velocity;
  const voices = mailboxVoicesOf(velocity);
  const counted =
    voices < mailbox24h ? `, ${voices} of which count: those from another network count once` : '';
  return `${mailbox24h} addresses of one mailbox within a day${counted}${blockedOf(velocity.mailboxBlocked24h)}`;
}

export function describeMailboxMonths({ velocity }: Evidence): string {
  const { mailbox90d: all, mailboxVoices90d: voices, mailboxDays: days, mailbox24h: today } = velocity;
  const many = all > MAX_MAILBOX_ADDRESSES ? `more than ${MAX_MAILBOX_ADDRESSES}` : all;
  const ofToday = today > 1 ? ` (${today} today)` : '';
  const counted = voices < all ? `, ${voices} of which count: blocked ones count once` : '';
  return `${many} addresses of one mailbox within ${days} days${ofToday}${counted}`;
}

function normOf({ email }: Evidence): string {
  const norm = describeNorm(email);
  return norm === '' ? '' : `; ${norm}`;
}

function blockedOf(blocked: number): string {
  return blocked === 0 ? '' : `; ${blocked} of them ${blocked === 1 ? 'was' : 'were'} blocked`;
}
