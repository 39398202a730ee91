/** Decides what a burst weighs: by the people behind it, and by what else is known of the signup. */
import type { Evidence, VelocityEvidence } from '../model/evidence.ts';
import { DEFAULT_THRESHOLDS } from '../model/policy.ts';
import { BURST } from '../model/velocity-event.ts';

/** Max. points of a burst alone: it never blocks. */
const LIMIT_ALONE = DEFAULT_THRESHOLDS.block - 1;
/** Max. points with an accusation. */
const LIMIT = 90;
/** Max. points at a domain with a good reputation: it is not challenged for its rate, with other small findings either. */
const LIMIT_OF_STANDING = 9;
/** Max. points of a burst at a domain that strangers share, together with the finding that it is free mail. */
const LIMIT_OF_SHARED = 1;
const OLD_DAYS = 3 * 365;
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

/** Whether the count is reported. People whom somebody brings are no burst; an address of everybody is nobody's. */
export function burstApplies(count: keyof typeof TRIGGERS): (evidence: Evidence) => boolean {
  return ({ ip, velocity }) => {
    if (velocity.broughtBy !== '') return false;
    if (count === 'ip1h' && (ip === null || ip.sharedByKey)) return false;
    if (count === 'mailboxVoices24h') return mailboxVoicesOf(velocity) >= TRIGGERS.mailboxVoices24h;
    return velocity[count] >= TRIGGERS[count];
  };
}

/** Whether unrelated people are known to come from the address. */
export function isSharedPlace({ ip }: Evidence): boolean {
  if (ip === null) return false;
  return ip.sharedPlace !== '' || (ip.relay && !ip.tor && !ip.vpn && !ip.proxy);
}

/** Whether there is a burst at a domain that strangers share, which says next to nothing. */
export function isSharedBurst({ email, velocity }: Evidence): boolean {
  const isShared = email.consumer || email.relay || email.strangers;
  return isShared && velocity.broughtBy === '' && velocity.domain1h >= TRIGGERS.domain1h;
}

export function weighIpBurst(base: number, evidence: Evidence, isAccused: boolean): number {
  const { velocity } = evidence;
  const people = isAccused
    ? peopleOf(velocity)
    : withoutBlocked(peopleOf(velocity), velocity.ipBlocked1h, MAX_BLOCKED.ip1h);
  return weigh(base, isExpectedTogether(evidence) ? people * SHARE_OF_SHARED_PLACE : people, {
    trigger: TRIGGERS.ip1h,
    alone: 10,
    accused: 15,
    isAccused,
  });
}

export function weighDomainBurst(base: number, evidence: Evidence, isAccused: boolean): number {
  if (isSharedBurst(evidence))
    return Math.min(base, evidence.email.consumer ? LIMIT_OF_SHARED / 2 : LIMIT_OF_SHARED);
  const { velocity } = evidence;
  const all = voicesOf(velocity);
  const plain = withoutBlocked(all, velocity.domainBlocked1h, MAX_BLOCKED.domain1h);
  const curve = { trigger: TRIGGERS.domain1h, alone: 15, accused: 15 };
  if (hasStanding(evidence))
    return Math.min(LIMIT_OF_STANDING, weigh(base, plain, { ...curve, isAccused: false }));
  return weigh(base, isAccused ? all : plain, { ...curve, isAccused });
}

export function weighMailboxFarm(base: number, { velocity }: Evidence, isAccused: boolean): number {
  const all = mailboxVoicesOf(velocity);
  const voices = isAccused
    ? all
    : withoutBlocked(all, velocity.mailboxBlocked24h, MAX_BLOCKED.mailboxVoices24h);
  const weight = base + 20 * Math.log2(voices / TRIGGERS.mailboxVoices24h);
  return Math.min(isAccused ? LIMIT : LIMIT_ALONE, weight);
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

export function describeIpBurst({ velocity }: Evidence): string {
  const { ip1h, ipMailboxes1h: people } = velocity;
  if (people === 0) return `${ip1h} attempts from this IP within an hour`;
  if (people === 1) return `${ip1h} attempts of one person from this IP within an hour`;
  const attempts = people < ip1h ? ` (${ip1h} attempts)` : '';
  return `${people} people from this IP within an hour${attempts}${blockedOf(velocity.ipBlocked1h)}`;
}

export function describeDomainBurst({ email, velocity }: Evidence): string {
  const { domain1h, domainVoices1h: voices } = velocity;
  const from = voices === 0 ? '' : `, from ${voices} ${voices === 1 ? 'network' : 'networks'}`;
  return `${domain1h} addresses of ${email.domain} within an hour${from}${blockedOf(velocity.domainBlocked1h)}`;
}

export function describeMailboxFarm({ velocity }: Evidence): string {
  const { mailbox24h } = velocity;
  const voices = mailboxVoicesOf(velocity);
  const counted = voices < mailbox24h ? `, ${voices} of which count: those from another network are one` : '';
  return `${mailbox24h} addresses of one mailbox within a day${counted}${blockedOf(velocity.mailboxBlocked24h)}`;
}

function blockedOf(blocked: number): string {
  return blocked === 0 ? '' : `; ${blocked} of them ${blocked === 1 ? 'was' : 'were'} blocked`;
}
