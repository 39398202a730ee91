/** Gathers what is known of an email address: lists, the mail exchange, the age and the reputation of its domain. */
import { topLevel } from '../address/domain.ts';
import type { DomainKnowledge, Intel } from '../intel/intel.ts';
import type { TypingMistakes } from '../intel/typing-mistake.ts';
import type { DomainAge, EmailEvidence, Hit, MailExchange } from '../model/evidence.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { deniesMail } from './dns-mail-canary.ts';
import type { GoodReports } from './good-reports.ts';
import type { MailExchangeLookup } from './mail-exchange.ts';
import { type Association, UNASSOCIATED } from './mail-host-association.ts';
import type { MailHosts } from './mail-hosts.ts';
import { NO_REPUTATION, type Reputation, type ReputationLookup } from './reputation.ts';

export interface EmailGatherers {
  readonly mailExchange: Pick<MailExchangeLookup, 'lookup'>;
  readonly domainAge: { lookup(domain: string, now: number): Promise<DomainAge> };
  readonly mailHosts: Pick<MailHosts, 'load' | 'associate'>;
  readonly typingMistakes: TypingMistakes;
  /** What the account that is asking has reported. */
  readonly goodReports: GoodReports;
  /** By domain; `undefined` when nobody is to be asked. */
  readonly domainReputation: ReputationLookup<string> | undefined;
}

const NO_SUCH_DOMAIN: MailExchange = { status: 'no_domain', hosts: [] };
const UNKNOWN_MX: MailExchange = { status: 'unknown', hosts: [] };
const NO_AGE: DomainAge = { days: -1, status: 'unlisted' };
const OLD_DAYS = 5 * 365;

/** Never throws and never waits longer than its gatherers' own deadlines. A TLD unknown to IANA is asked of nobody. */
export async function gatherEmail(
  email: EmailAddress,
  intel: Intel,
  { mailExchange, domainAge, mailHosts, typingMistakes, goodReports, domainReputation }: EmailGatherers,
  { account, at: now }: Pick<VelocityEvent, 'account' | 'at'>,
): Promise<EmailEvidence> {
  const { domain } = email;
  const known = intel.domain(domain);
  const exists = intel.isTopLevel(topLevel(domain));
  const strangersShareIt = known.consumer || known.relay;
  const mx = exists ? mailExchange.lookup(domain, { account, provider: strangersShareIt }) : NO_SUCH_DOMAIN;
  const age = exists ? domainAge.lookup(domain, now) : NO_AGE;
  const reputation =
    domainReputation === undefined || !exists || strangersShareIt
      ? NO_REPUTATION
      : domainReputation.lookup(domain);
  const suspected = hasOwnName(known) ? '' : typingMistakes.providerMeant(domain, exists);
  // Asked only of the few that a list or their spelling accuses.
  const labelledGood = (known.disposable || suspected !== '') && goodReports.isGood(account, domain);
  const providerMeant = labelledGood ? '' : suspected;
  const lookup = { account, email, intel, known, mailHosts, providerMeant, labelledGood };
  // None of them rejects, so they may be waited for in turn.
  const answers = { mx: await mx, age: await age, reputation: await reputation };
  return associate(lookup, answers);
}

/** What is known before anybody is asked, and whom to ask next. */
interface EmailLookup extends Pick<EmailGatherers, 'mailHosts'> {
  readonly account: string;
  readonly email: EmailAddress;
  readonly intel: Intel;
  readonly known: DomainKnowledge;
  readonly providerMeant: string;
  readonly labelledGood: boolean;
}

interface Answers {
  readonly mx: MailExchange;
  readonly age: DomainAge;
  readonly reputation: Reputation;
}

/** What is kept of the mail hosts may have to be read first. */
async function associate(lookup: EmailLookup, answers: Answers): Promise<EmailEvidence> {
  const { intel, mailHosts } = lookup;
  // A provider that Gatehouse vouches for takes mail, whatever DNS says.
  const vouched = deniesMail(answers.mx) && isVouchedProvider(lookup);
  const { consumer, relay } = lookup.known;
  // What strangers share is not accused for a moment without an answer.
  const excused = answers.mx.unanswered === true && (consumer || relay);
  const mx = vouched || excused ? UNKNOWN_MX : answers.mx;
  const arriving = mx.status === 'valid' ? mailHosts.load(mx.hosts, intel) : undefined;
  if (arriving !== undefined) await arriving;
  return compose(lookup, { ...answers, mx });
}

function compose(lookup: EmailLookup, { mx, age, reputation }: Answers): EmailEvidence {
  const { account, email, intel, known, mailHosts, providerMeant } = lookup;
  const { local, domain } = email;
  const association =
    mx.status === 'valid'
      ? mailHosts.associate({ account, domain, known, hosts: mx.hosts, ageDays: age.days }, intel)
      : UNASSOCIATED;
  const relay = known.relay || association.relay;
  const contradiction = contradictionOf(lookup, association, mx, age);
  // A relay's customers are strangers to each other, whoever of them earned the listing.
  const listings = relay ? NO_REPUTATION.hits : reputation.hits;
  return {
    domain,
    disposable: known.disposable && contradiction === undefined,
    disposableDisputed: known.disputed || contradiction !== undefined,
    disposableHost: association.disposableHost,
    relay,
    spam: known.spam || listings.length > 0,
    consumer: known.consumer,
    sharedSuffix: known.sharedSuffix,
    role: intel.isRole(local),
    alias: local.includes('+'),
    providerMeant,
    mx,
    age,
    hits: join(known.hits, contradiction === undefined ? association.hits : [contradiction], listings),
    unknown: unknownOf(mx, age, reputation.unknown),
  };
}

/** Whether it is known by its own name, however near that is to another. Typing mistakes are popular, too. */
function hasOwnName({ consumer, relay, hits }: DomainKnowledge): boolean {
  return consumer || relay || hits.some(({ fact }) => fact === 'known');
}

/** The very domain is listed: a name below it, which anybody may invent, need not exist. */
function isVouchedProvider({ email, known, intel }: EmailLookup): boolean {
  return known.hits.some(
    ({ fact, source, entry }) =>
      fact === 'consumer' &&
      entry === email.domain &&
      intel.sources.some(({ id, vouched }) => vouched && id === source),
  );
}

/** What speaks against a listing beside what the snapshot knows. */
function contradictionOf(
  { email, known, labelledGood }: EmailLookup,
  association: Association,
  { hosts: [host = ''] }: MailExchange,
  age: DomainAge,
): Hit | undefined {
  if (labelledGood) return { fact: 'labelled_good', source: 'feedback', entry: email.domain };
  // A domain that somebody has kept for years beside ordinary ones is no throw-away, if one list alone says so.
  const established = known.disposable && !known.settled && association.ordinary && age.days >= OLD_DAYS;
  return established ? { fact: 'established', source: 'mail-host', entry: host } : undefined;
}

/** Most attempts add nothing: then the list itself is handed on. */
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
