/** The event that velocity counts: one live signup attempt, and how often its keys were seen. */
import type { BroughtBy } from './signup-attempt.ts';

/** One live signup attempt, by the keys it is counted under. All strings are opaque to the counters. */
export interface VelocityEvent {
  /** The request id of its assessment. No two attempts share one, so shared counters never count an attempt twice. */
  readonly id: string;
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The IP or its /64, as `networkOf` writes it; `null` without a usable one. */
  readonly network: string | null;
  readonly domain: string;
  /** Keyed hash of the address. An address always comes with the same domain and mailbox. */
  readonly addressHash: string;
  /** Keyed hash of the mailbox the address delivers to. */
  readonly mailbox: string;
  /**
   * The one who brings the person, as in `SignupAttempt`; absent where nobody does. Such an event is limited and charged
   * like any other, and is in no count.
   */
  readonly broughtBy?: BroughtBy | undefined;
  /** Its hashes under keys from before a rotation, as long as attempts of them are counted. Its count is not below theirs. */
  readonly olderMailboxes?: readonly string[] | undefined;
  /** Whether a stored event was answered with `block`; absent for one that is still to be answered. */
  readonly blocked?: boolean | undefined;
  /** Whether the address has a name as people have them. Absent: it has none. */
  readonly named?: boolean | undefined;
}

const COLON = 58;
const ZERO = 48;
/** Groups of 16 bits: a /48. */
const VOICE_GROUPS = 3;

/**
 * The network whose addresses are one voice: an IPv4 address by itself, an IPv6 address with its whole /48. Homes get up to a
 * /48, and so do customers of clouds and tunnels: counted by their /64s, one of them would be up to 65,536 voices.
 * Without zeros at its end: `2001:db8::/64` leaves out the one that `2001:db8:0:1::/64` has.
 */
export function voiceOf(network: string): string {
  let groups = 0;
  let begin = 0;
  let end = 0;
  for (let at = 0; at < network.length; at += 1) {
    if (network.charCodeAt(at) !== COLON) continue;
    if (at > begin + 1 || (at > begin && network.charCodeAt(begin) !== ZERO)) end = at;
    groups += 1;
    if (at === begin || groups === VOICE_GROUPS) return network.slice(0, end);
    begin = at + 1;
  }
  return network;
}

/** End of the voice of a network in UTF-8, see `voiceOf`. */
export function endOfVoice(bytes: Uint8Array, start: number, networkEnd: number): number {
  let groups = 0;
  let begin = start;
  let end = start;
  for (let at = start; at < networkEnd; at += 1) {
    if (bytes[at] !== COLON) continue;
    if (at > begin + 1 || (at > begin && bytes[begin] !== ZERO)) end = at;
    groups += 1;
    if (at === begin || groups === VOICE_GROUPS) return end;
    begin = at + 1;
  }
  return networkEnd;
}

/** Counts that include the attempt itself; windows are (at − length, at]. */
export interface VelocityCounts {
  /** Attempts from the network; 0 without one. */
  readonly network1h: number;
  readonly network24h: number;
  /** Distinct addresses of the domain. */
  readonly domain1h: number;
  readonly domain24h: number;
  /** Distinct addresses of the mailbox. */
  readonly mailbox24h: number;
  /**
   * True when counts are lower bounds: memory bounds made the counter forget attempts younger than 24 h, or the
   * counters that all nodes share could not be asked in time.
   */
  readonly partial: boolean;
}

/** Min. counts of a burst. */
export const BURST: Readonly<
  Record<keyof Pick<VelocityCounts, 'network1h' | 'domain1h' | 'mailbox24h'>, number>
> = {
  network1h: 5,
  domain1h: 6,
  mailbox24h: 3,
};

/**
 * Voices behind the counts of an event, itself included: asked only where there is a burst. Below `BURST` each number is the
 * plain count, and none of them is known to be blocked. If a key has more than `MAX_TRACED` events, older ones may be left out.
 */
export interface VelocityVoices {
  /** Distinct mailboxes of the network's events within the hour. */
  networkMailboxes1h(): Crowd;
  /**
   * Distinct networks that used addresses of the domain within the hour, as `voiceOf` tells them apart: many addresses from
   * one network are one voice against a domain. In the event's own /48 each /64 counts: a farm there answers for all of it.
   * An event without a network is a voice of its mailbox.
   */
  domainVoices1h(): Crowd;
  mailboxVoices24h(): MailboxVoices;
}

export interface VoiceCount {
  readonly all: number;
  /** Voices in `all` whose events within the window were all answered with `block`. */
  readonly blocked: number;
}

/** Voices of an hour, and how many look like people: 0 below `BURST`. Each counts by its latest event that was not blocked. */
export interface Crowd extends VoiceCount {
  /** Voices whose address has a name as people have them, without those in `blocked`. */
  readonly named: number;
  /** Voices with the event's own domain, without those in `blocked`. */
  readonly ofDomain: number;
}

/** Voices that used addresses of one mailbox within a day. Networks are those of `voiceOf`. */
export interface MailboxVoices {
  /** Distinct addresses that the event's own network used; without a network, those that came without one. */
  readonly own: VoiceCount;
  /** Other networks. Addresses that came without one count as one more. */
  readonly others: VoiceCount;
}

export const MAX_TRACED = 128;

/** The counts and voices of an event that is in no count, and of one before which there was none. */
export function countsAlone({ network }: Pick<VelocityEvent, 'network'>): VelocityCounts {
  const ofNetwork = network === null ? 0 : 1;
  return {
    network1h: ofNetwork,
    network24h: ofNetwork,
    domain1h: 1,
    domain24h: 1,
    mailbox24h: 1,
    partial: false,
  };
}

/** The voices of an event that is no part of a burst. */
export function plainVoices({ network1h, domain1h, mailbox24h }: VelocityCounts): VelocityVoices {
  return {
    networkMailboxes1h: () => plainCrowd(network1h),
    domainVoices1h: () => plainCrowd(domain1h),
    mailboxVoices24h: () => ({ own: noneBlocked(mailbox24h), others: noneBlocked(0) }),
  };
}

export function noneBlocked(all: number): VoiceCount {
  return { all, blocked: 0 };
}

/** The crowd of an event that is no part of a burst. */
export function plainCrowd(all: number): Crowd {
  return { all, blocked: 0, named: 0, ofDomain: 0 };
}

/** Numbers of `keys` for each attempt: where its network (empty where there is none), domain, address and mailbox begin and end. */
export const KEY_BOUNDS = 8;

/** Marks of an attempt among `AttemptColumns`: whether it was answered with `block`, and whether its address has a name. */
export const MARKS = { blocked: 1, named: 2 } as const;

/**
 * Many live attempts, oldest first, with their keys as bytes of UTF-8: a start reads millions, and makes no object or text
 * of each. Arrays may be longer than there are attempts, and are written over by what follows.
 */
export interface AttemptColumns {
  readonly length: number;
  readonly accounts: readonly string[];
  /** Place of each attempt's account in `accounts`. */
  readonly account: Uint32Array;
  /** Milliseconds since the epoch. */
  readonly at: Float64Array;
  /** `MARKS` of each attempt together. */
  readonly marks: Uint8Array;
  /** Keys by attempt, `KEY_BOUNDS`. */
  readonly keys: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Some thousands at a time at most. */
export type AttemptChunk = readonly VelocityEvent[] | AttemptColumns;
