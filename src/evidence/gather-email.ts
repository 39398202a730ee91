/** Gathers the evidence about an email address: lists, the mail exchange, the age and the reputation of its domain. */
import { topLevel } from '../address/domain.ts';
import { withoutWord } from '../address/name-facts.ts';
import { isReservedName } from '../address/reserved-names.ts';
import type { DomainKnowledge, Intel } from '../intel/intel.ts';
import type { Suspicion, TypingMistakes } from '../intel/typing-mistake.ts';
import type { Awaitable } from '../model/awaitable.ts';
import type { DomainAge, EmailEvidence, Hit, MailExchange, Standing } from '../model/evidence.ts';
import { type NameFacts, NO_NAME } from '../model/name-facts.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import type { Category } from '../model/source.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import type { GoodReports } from './good-reports.ts';
import { type Association, type HostVouch, UNASSOCIATED } from './mail-host-facts.ts';
import type { MailHosts } from './mail-hosts.ts';
import { createFindOwnHost, type FindOwnHost } from './provider-hosts.ts';
import { deniesMail } from './sources/dns-mail-answer.ts';
import type { MailExchangeLookup } from './sources/mail-exchange.ts';
import { NO_REPUTATION, type Reputation, type ReputationLookup } from './sources/reputation.ts';
import { victimOf } from './victim.ts';

export interface EmailGatherers {
  readonly mailExchange: Pick<MailExchangeLookup, 'lookup'>;
  readonly domainAge: { lookup(domain: string, now: number): Awaitable<DomainAge> };
  readonly mailHosts: Pick<MailHosts, 'load' | 'associate'>;
  readonly typingMistakes: TypingMistakes;
  /** The reports of the signup's account. */
  readonly goodReports: GoodReports;
  /** Look-up by domain; `undefined` without upstreams. */
  readonly domainReputation: ReputationLookup<string> | undefined;
}

const NO_SUCH_DOMAIN: MailExchange = { status: 'no_domain', hosts: [] };
const UNKNOWN_MX: MailExchange = { status: 'unknown', hosts: [] };
const NO_AGE: DomainAge = { days: -1, status: 'unlisted' };
const OLD_DAYS = 5 * 365;

/** The signup that has the address: its account, its time, and what is known of the part before the `@`. */
export interface EmailAsker extends Pick<VelocityEvent, 'account' | 'at'> {
  readonly name: NameFacts;
  /**
   * Form in which the address names its mailbox. `canonical`: as the provider does, so nobody else's spellings speak
   * against it. `untagged`: with dots or the like, as its owner may write it, and as a farm may. `tagged`: any other.
   */
  readonly spelling: 'canonical' | 'untagged' | 'tagged';
}

/** Never throws and never waits longer than the deadlines of its gatherers. No source is asked about a reserved name; DNS says whether any other one exists. */
export type GatherEmail = (email: EmailAddress, intel: Intel, asker: EmailAsker) => Awaitable<EmailEvidence>;

/** Asks every source about every address. */
export function createGatherEmail(gatherers: EmailGatherers): GatherEmail {
  const sources = { ...gatherers, findOwnHost: createFindOwnHost() };
  return (email, intel, asker) => gatherEmail(email, intel, sources, asker);
}

interface EmailSources extends EmailGatherers {
  readonly findOwnHost: FindOwnHost;
}

function gatherEmail(
  email: EmailAddress,
  intel: Intel,
  sources: EmailSources,
  asker: EmailAsker,
): Awaitable<EmailEvidence> {
  const { mailExchange, domainAge, mailHosts, typingMistakes, goodReports, domainReputation, findOwnHost } =
    sources;
  const { account, at: now } = asker;
  const { domain } = email;
  const known = intel.domain(domain);
  const exists = !isReservedName(domain);
  const isShared = known.listed.consumer || known.listed.relay;
  const mx = exists ? mailExchange.lookup(domain, { account, provider: isShared }) : NO_SUCH_DOMAIN;
  const age = exists ? domainAge.lookup(domain, now) : NO_AGE;
  const reputation =
    domainReputation === undefined || !exists || isShared ? NO_REPUTATION : domainReputation.lookup(domain);
  const suspected = suspectedOf(domain, known, intel, typingMistakes);
  // Needed only for the few domains that a list or their spelling accuses.
  const labelledGood = (known.disposable || suspected !== undefined) && goodReports.isGood(account, domain);
  const suspicion = labelledGood ? undefined : suspected;
  const lookup = { asker, email, intel, known, mailHosts, findOwnHost, suspicion, labelledGood };
  if (mx instanceof Promise || age instanceof Promise || reputation instanceof Promise)
    return associateLater(lookup, mx, age, reputation);
  return associate(lookup, { mx, age, reputation });
}

/** The evidence before any source is asked, and the next source. */
interface EmailLookup extends Pick<EmailSources, 'mailHosts' | 'findOwnHost'> {
  readonly asker: EmailAsker;
  readonly email: EmailAddress;
  readonly intel: Intel;
  readonly known: DomainKnowledge;
  readonly suspicion: Suspicion | undefined;
  readonly labelledGood: boolean;
}

interface Answers {
  readonly mx: MailExchange;
  readonly age: DomainAge;
  readonly reputation: Reputation;
}

/** Waits for the look-ups in turn: no one of them rejects. */
async function associateLater(
  lookup: EmailLookup,
  mx: Awaitable<MailExchange>,
  age: Awaitable<DomainAge>,
  reputation: Awaitable<Reputation>,
): Promise<EmailEvidence> {
  return associate(lookup, { mx: await mx, age: await age, reputation: await reputation });
}

/** The records of the mail hosts may have to be read first. */
function associate(lookup: EmailLookup, answers: Answers): Awaitable<EmailEvidence> {
  const { intel, mailHosts } = lookup;
  // A provider that Gatehouse vouches for takes mail, even if DNS denies it.
  const vouched = deniesMail(answers.mx) && isVouchedProvider(lookup);
  const { consumer, relay } = lookup.known.listed;
  // A domain that strangers share does not count as unanswered after one missing answer.
  const isExempt = answers.mx.unanswered === true && (consumer || relay);
  const mx = vouched || isExempt ? UNKNOWN_MX : answers.mx;
  const loading = mx.status === 'valid' ? mailHosts.load(mx.hosts, intel) : undefined;
  const { age, reputation } = answers;
  if (loading === undefined) return compose(lookup, { mx, age, reputation });
  return loading.then(() => compose(lookup, { mx, age, reputation }));
}

function compose(lookup: EmailLookup, { mx, age, reputation }: Answers): EmailEvidence {
  const { asker, email, intel, known, mailHosts } = lookup;
  const { domain } = email;
  const association =
    mx.status === 'valid'
      ? mailHosts.associate(
          { account: asker.account, domain, known, hosts: mx.hosts, ageDays: age.days },
          intel,
        )
      : UNASSOCIATED;
  const relay = known.listed.relay || association.relay;
  // A relay's customers do not know each other: a listing of one says nothing about the others.
  const listings = relay ? NO_REPUTATION.hits : reputation.hits;
  const established = contradictionOf(lookup, association, mx, age);
  const spelling = judgeSpelling(lookup, mx, established !== undefined || association.vouch === 'paid');
  const contradiction = established ?? spellingAgainst(lookup, spelling);
  const strangers = known.listed.no_reply || known.listed.sms_gateway;
  const part = localPartOf(email, intel, asker, { relay, isGateway: known.listed.sms_gateway });
  return {
    domain,
    disposable: known.disposable && contradiction === undefined,
    disposableDisputed: known.disputed || (known.disposable && contradiction !== undefined),
    disposableHost: association.disposableHost,
    relay,
    spam: known.listed.spam || listings.length > 0,
    consumer: known.listed.consumer,
    strangers,
    standing: standingOf(lookup, age),
    usualPeople: 0,
    usualSince: 0,
    sharedSuffix: known.sharedSuffix,
    role: part.role,
    alias: part.alias,
    respelled: part.respelled,
    name: part.name,
    victim: part.victim,
    providerMeant: spelling.providerMeant,
    mx,
    age,
    hits: join(known.hits, contradiction === undefined ? association.hits : [contradiction], listings),
    unknown: unknownOf(mx, age, reputation.unknown),
  };
}

type LocalPart = Pick<EmailEvidence, 'role' | 'alias' | 'respelled' | 'name' | 'victim'>;

/** Facts of the part before the `@`. A role is nobody's name, and a relay makes up names for its people. */
export function localPartOf(
  email: EmailAddress,
  intel: Intel,
  { name, spelling }: EmailAsker,
  { relay, isGateway }: { readonly relay: boolean; readonly isGateway: boolean },
): LocalPart {
  const role = intel.isRole(email.local);
  return {
    role,
    alias: email.local.includes('+'),
    respelled: spelling !== 'canonical',
    name: relay ? NO_NAME : role ? withoutWord(name) : name,
    victim: victimOf(email, isGateway),
  };
}

/**
 * `www.gmail.com` is below a provider, but nobody has an address there. A domain on several disposable lists, or on our own, is
 * disposable, unless it is one slip away from a provider.
 */
function suspectedOf(
  domain: string,
  known: DomainKnowledge,
  intel: Intel,
  mistakes: TypingMistakes,
): Suspicion | undefined {
  if (hasOwnName(known) && !domain.startsWith('www.')) return undefined;
  const suspicion = mistakes.suspect(domain, intel.isTopLevel(topLevel(domain)));
  return known.disposable && known.settled && suspicion?.form !== 'slip' ? undefined : suspicion;
}

interface SpellingVerdict {
  readonly providerMeant: string;
  /** The provider's mail host, where the domain is its own. */
  readonly ownHost: string;
}

const NO_MISTAKE: SpellingVerdict = { providerMeant: '', ownHost: '' };

/**
 * Weighs a suspicious spelling by the live answer. Throw-away services have hundreds of look-alikes (`810gmail.com`): one
 * that a list calls disposable is a mistake only where it takes no mail, or its mail hosts speak for it.
 * @param isVouched they cost money, or the domain is old as well
 */
function judgeSpelling(lookup: EmailLookup, mx: MailExchange, isVouched: boolean): SpellingVerdict {
  const { suspicion, findOwnHost, known } = lookup;
  if (suspicion === undefined) return NO_MISTAKE;
  const ownHost = findOwnHost(suspicion, mx);
  if (ownHost !== '') return { providerMeant: '', ownHost };
  const isMistake =
    known.disposable && suspicion.form !== 'slip' ? deniesMail(mx) || isVouched : isMistyped(suspicion, mx);
  return isMistake ? { providerMeant: suspicion.provider, ownHost } : NO_MISTAKE;
}

/** The owner of `hotmail.com.pe` is unknown without an answer, and `gmail.net` may be anybody's as long as it takes mail. */
function isMistyped({ form }: Suspicion, mx: MailExchange): boolean {
  if (form === 'slip' || form === 'stuck' || deniesMail(mx)) return true;
  return form === 'country' && mx.status === 'valid';
}

/** Whether the name is known itself, even if it resembles another. Popularity proves nothing: typing mistakes are popular. */
function hasOwnName({ listed }: DomainKnowledge): boolean {
  return listed.consumer || listed.relay || listed.sms_gateway || listed.known;
}

/** Whether exactly this domain is listed as a provider: anybody can invent names below it. */
function isVouchedProvider({ email, known, intel }: EmailLookup): boolean {
  return known.hits.some(
    ({ fact, source, entry }) =>
      fact === 'consumer' &&
      entry === email.domain &&
      intel.sources.some(({ id, vouched }) => vouched && id === source),
  );
}

/** Standing of a domain. Neither a suffix that strangers share, nor a name below it, nor the age of the suffix gives any. */
function standingOf({ email: { domain }, known, intel }: EmailLookup, age: DomainAge): Standing {
  const { listed, sharedSuffix } = known;
  if (known.disposable || known.disputed || listed.spam || sharedSuffix !== '') return '';
  if (listed.consumer || listed.relay || listed.no_reply || listed.sms_gateway) return '';
  if (listed.institution || intel.isInstitution(domain)) return 'institution';
  if (intel.isPopular(domain)) return 'popular';
  return age.days >= OLD_DAYS ? 'old' : '';
}

/** A reason against a listing that the snapshot does not know. */
function contradictionOf(
  { email, known, labelledGood }: EmailLookup,
  association: Association,
  { hosts: [host = ''] }: MailExchange,
  age: DomainAge,
): Hit | undefined {
  if (labelledGood) return { fact: 'labelled_good', source: 'feedback', entry: email.domain };
  // The age is that of the registration, which below a shared suffix is somebody else's.
  if (association.vouch === '' || age.days < OLD_DAYS || known.sharedSuffix !== '') return undefined;
  // If only one list names it, a domain that is years old and has good mail hosts is not what the list says.
  const contested = known.disposable ? !known.settled : isNamedOnce(known, 'spam');
  return contested
    ? { fact: 'established', source: VOUCH_SOURCES[association.vouch], entry: host }
    : undefined;
}

/** Weighs the spelling against a listing. The snapshot knows what one slip says. */
function spellingAgainst(
  { email: { domain }, known, suspicion }: EmailLookup,
  { providerMeant, ownHost }: SpellingVerdict,
): Hit | undefined {
  if (!known.disposable || suspicion?.form === 'slip') return undefined;
  if (ownHost !== '') return { fact: 'provider', source: 'provider-mail-host', entry: ownHost };
  return providerMeant === '' ? undefined : { fact: 'mistyped', source: 'typing-targets', entry: domain };
}

const VOUCH_SOURCES: Readonly<Record<HostVouch, string>> = {
  '': '',
  ordinary: 'mail-host',
  own: 'own-mail-host',
  paid: 'paid-mail-host',
};

function isNamedOnce({ hits }: DomainKnowledge, category: Category): boolean {
  return new Set(hits.flatMap(({ fact, source }) => (fact === category ? source : []))).size === 1;
}

/** Most attempts add nothing: then no new list is made. */
function join(known: readonly Hit[], association: readonly Hit[], listings: readonly Hit[]): readonly Hit[] {
  if (association.length === 0 && listings.length === 0) return known;
  return [...known, ...association, ...listings];
}

const NOTHING: readonly string[] = [];
const MX: readonly string[] = ['mx'];
const AGE: readonly string[] = ['age'];
const BOTH: readonly string[] = ['mx', 'age'];

function unknownOf(mx: MailExchange, age: DomainAge, upstreams: readonly string[]): readonly string[] {
  const noAge = age.status === 'late' || age.status === 'unavailable';
  const own = mx.status === 'unknown' ? (noAge ? BOTH : MX) : noAge ? AGE : NOTHING;
  return upstreams.length === 0 ? own : [...own, ...upstreams];
}
