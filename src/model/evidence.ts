/** The evidence about one signup attempt: facts only, no weights and no verdict. */
import type { CampaignMatch } from './campaign.ts';
import type { ListMatch, OfficeMatch } from './list-entry.ts';
import { type NameFacts, NO_NAME } from './name-facts.ts';
import type { BroughtBy } from './signup-attempt.ts';

/** An entry of a source that matches the attempt. */
export interface Hit {
  /** The source's category: `disposable`, `relay`, `consumer`, `tor`, `datacenter`, … */
  readonly fact: string;
  /** The source's id, as in the snapshot's table of sources. */
  readonly source: string;
  /** The entry that matched: a domain, `AS…`, an address or a CIDR block. */
  readonly entry: string;
  /** The source's version; absent where a source has none. */
  readonly version?: string;
}

export const MX_STATUSES = ['valid', 'none', 'null_mx', 'no_domain', 'unknown'] as const;
export type MxStatus = (typeof MX_STATUSES)[number];

export interface MailExchange {
  /** `unknown` when DNS could not be asked or did not answer in time. */
  readonly status: MxStatus;
  /** Exchanges by preference, lower-case, at most 10; empty unless `valid`. */
  readonly hosts: readonly string[];
  /** True where it is unknown by the domain's own fault: nothing usable came over UDP and TCP, while others were answered. */
  readonly unanswered?: boolean;
}

export interface DomainAge {
  /** Whole days since registration, UTC; −1 when unknown. */
  readonly days: number;
  /** Why it is unknown, or `known`. `late`: asked, the answer will serve the next attempt. */
  readonly status: 'known' | 'late' | 'unlisted' | 'unavailable';
}

/** The mail host by which an unlisted domain is disposable by association. */
export interface DisposableHost {
  /** The exchange; empty when there is no such association. */
  readonly name: string;
  /** The name that flags it: its own, `*.` and its owner's domain, its address, or the listed domain it is below. */
  readonly matched: string;
  /** Distinct listed disposable domains served; 0 when the host is itself below one. */
  readonly serves: number;
}

/**
 * Reasons why many signups of one domain are to be expected. `known`: the account labelled the domain as good. `usual`: ordinary
 * people of it have come to the account for weeks. Stored by its place.
 */
export const STANDINGS = ['', 'institution', 'popular', 'old', 'known', 'usual'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Reasons why unrelated people come from one address. `carrier`: mobile networks; `egress`: code that a platform runs for many. */
export const SHARED_PLACES = ['', 'relay', 'proxy', 'carrier', 'egress'] as const;
export type SharedPlace = (typeof SHARED_PLACES)[number];

/**
 * Kinds of people who would not want the mail of a signup: `gateway` to text messages, `desk` for complaints about networks
 * (abuse, noc), `dots` everywhere in the name of a Gmail mailbox.
 */
export const VICTIMS = ['', 'gateway', 'desk', 'dots'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface EmailEvidence {
  readonly domain: string;
  /** A list names it, and nothing that counts disputes that. */
  readonly disposable: boolean;
  /** A list names it, and other facts dispute that: `hits` has both. `disposable` is false then. */
  readonly disposableDisputed: boolean;
  readonly disposableHost: DisposableHost;
  /** A list names it, or its mail goes to a relay provider's host. */
  readonly relay: boolean;
  readonly spam: boolean;
  readonly consumer: boolean;
  /** Strangers share it, though it is neither a free mail provider nor a relay: the no-reply domain of a code host, a gateway to text messages. */
  readonly strangers: boolean;
  /** Empty where nothing is known in the domain's favour. */
  readonly standing: Standing;
  /** People of the domain who came to the account over weeks and were let in; 0 where they are too few to say so. */
  readonly usualPeople: number;
  /** Time of the first of them, milliseconds since the epoch; 0 without. */
  readonly usualSince: number;
  /** The shared suffix (strangers can get names below it) that the domain is under, or equals; else empty. */
  readonly sharedSuffix: string;
  readonly role: boolean;
  /** The local part carries a `+` tag. */
  readonly alias: boolean;
  /** The address is not spelled as its mailbox is: it has a tag, dots or the like. */
  readonly respelled: boolean;
  /** `NO_NAME` at relays and of a role, but for what stands before a number. */
  readonly name: NameFacts;
  /** Empty for nearly everybody. Says little of one signup: many of them are a list bombing. */
  readonly victim: Victim;
  /** The large provider that the domain is a likely typing mistake of; empty where it is none. */
  readonly providerMeant: string;
  readonly mx: MailExchange;
  readonly age: DomainAge;
  readonly hits: readonly Hit[];
  /** Sources that could not be asked or did not answer in time: `mx`, `age`, `dnsbl:<zone>`. */
  readonly unknown: readonly string[];
}

export interface IpEvidence {
  /** Canonical text. */
  readonly address: string;
  readonly tor: boolean;
  readonly vpn: boolean;
  readonly proxy: boolean;
  readonly relay: boolean;
  readonly datacenter: boolean;
  /** Empty where the address is not known to be shared. */
  readonly sharedPlace: SharedPlace;
  /** Most signups of the key or hook have this address: it is a server's or a proxy's, so a burst says nothing of the visitor. */
  readonly sharedByKey: boolean;
  /** 0 … 100. */
  readonly abuseScore: number;
  /** ISO 3166-1 alpha-2, or empty. */
  readonly countryCode: string;
  /** English name, or empty. */
  readonly country: string;
  /** 0 when unknown. */
  readonly asn: number;
  readonly hits: readonly Hit[];
  /** Sources that could not be asked or did not answer in time: `abuseipdb`, `dnsbl:<zone>`. */
  readonly unknown: readonly string[];
}

/** Counts over the account's live attempts, the one being assessed included. */
export interface VelocityEvidence {
  readonly ip1h: number;
  readonly ip24h: number;
  /** Distinct addresses of the email domain. */
  readonly domain1h: number;
  readonly domain24h: number;
  /** Distinct addresses that deliver to this address's mailbox. */
  readonly mailbox24h: number;
  /** Distinct mailboxes behind `ip1h`; 0 unless it is a burst. */
  readonly ipMailboxes1h: number;
  /** Distinct networks behind `domain1h`; 0 unless it is a burst at a domain that strangers do not share. */
  readonly domainVoices1h: number;
  /** Voices against the address of `mailbox24h`: those of its own network, and other networks; 0 below three. */
  readonly mailboxVoices24h: number;
  /** Parts of the three numbers before: voices all of whose attempts were answered with `block`. */
  readonly ipBlocked1h: number;
  readonly domainBlocked1h: number;
  readonly mailboxBlocked24h: number;
  /** Parts of `ipMailboxes1h`, without blocked ones: mailboxes of this signup's domain, and mailboxes with a name as people have them. */
  readonly ipOwnDomain1h: number;
  readonly ipNamed1h: number;
  /** Part of `domainVoices1h`, without blocked ones: networks whose address has such a name. */
  readonly domainNamed1h: number;
  /** Whether this signup's address has such a name. */
  readonly named: boolean;
  /** Party that brings the person; empty for a person who comes alone. Such a signup counts in no burst. */
  readonly broughtBy: BroughtBy | '';
  /** Distinct addresses of this address's mailbox within the last months, blocked ones included; 0 below three. */
  readonly mailbox90d: number;
  /** Addresses of `mailbox90d` that count: of blocked ones one. */
  readonly mailboxVoices90d: number;
  /** Days that `mailbox90d` looks back; 0 without. */
  readonly mailboxDays: number;
  /** True when the counts are lower bounds: attempts had to be forgotten, or the shared counters did not answer in time. */
  readonly partial: boolean;
}

export interface Evidence {
  /** Id of the intelligence snapshot that every lookup of this attempt read. */
  readonly snapshot: string;
  readonly email: EmailEvidence;
  /** `null` without a usable public IP. */
  readonly ip: IpEvidence | null;
  readonly velocity: VelocityEvidence;
  /** `null` where no entry matches. */
  readonly list: ListMatch | null;
  /** The account's shared office that it comes from; `null` where it comes from none. */
  readonly office: OfficeMatch | null;
  /** Open wave that it belongs to; `null` where it belongs to none. */
  readonly campaign: CampaignMatch | null;
}

// The empty value of every fact is listed here and nowhere else: storage, sandbox and fixtures are derived from it.

export const EMPTY_EMAIL: EmailEvidence = {
  domain: '',
  disposable: false,
  disposableDisputed: false,
  disposableHost: { name: '', matched: '', serves: 0 },
  relay: false,
  spam: false,
  consumer: false,
  strangers: false,
  standing: '',
  usualPeople: 0,
  usualSince: 0,
  sharedSuffix: '',
  role: false,
  alias: false,
  respelled: false,
  name: NO_NAME,
  victim: '',
  providerMeant: '',
  mx: { status: 'unknown', hosts: [] },
  age: { days: -1, status: 'unavailable' },
  hits: [],
  unknown: [],
};

export const EMPTY_IP: IpEvidence = {
  address: '',
  tor: false,
  vpn: false,
  proxy: false,
  relay: false,
  datacenter: false,
  sharedPlace: '',
  sharedByKey: false,
  abuseScore: 0,
  countryCode: '',
  country: '',
  asn: 0,
  hits: [],
  unknown: [],
};

export const EMPTY_VELOCITY: VelocityEvidence = {
  ip1h: 0,
  ip24h: 0,
  domain1h: 0,
  domain24h: 0,
  mailbox24h: 0,
  ipMailboxes1h: 0,
  domainVoices1h: 0,
  mailboxVoices24h: 0,
  ipBlocked1h: 0,
  domainBlocked1h: 0,
  mailboxBlocked24h: 0,
  ipOwnDomain1h: 0,
  ipNamed1h: 0,
  domainNamed1h: 0,
  named: false,
  broughtBy: '',
  mailbox90d: 0,
  mailboxVoices90d: 0,
  mailboxDays: 0,
  partial: false,
};

/** Evidence without any fact: the defaults that a stored record leaves out. */
export const EMPTY_EVIDENCE: Evidence = {
  snapshot: '',
  email: EMPTY_EMAIL,
  ip: null,
  velocity: EMPTY_VELOCITY,
  list: null,
  office: null,
  campaign: null,
};
