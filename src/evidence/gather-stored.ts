/** Gathers the evidence of a stored signup again: lists, feeds, waves and labels as they are now, all else as it was when it was assessed. */
import { parseIp } from '../address/ip.ts';
import type { Intel } from '../intel/intel.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { Awaitable } from '../model/awaitable.ts';
import {
  EMPTY_EVIDENCE,
  type EmailEvidence,
  type Evidence,
  type Hit,
  type IpEvidence,
} from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import { plainVoices } from '../model/velocity-event.ts';
import type { AssessmentHead } from '../store/stored-assessment.ts';
import { createGather, type GatherOptions, type Subject } from './gather.ts';
import { createGatherEmail } from './gather-email.ts';
import type { GoodReports } from './good-reports.ts';
import type { AccountLists } from './list-accounts.ts';
import type { ListSubject } from './list-index.ts';
import type { MailHosts } from './mail-hosts.ts';

export interface GatherStoredOptions extends Pick<GatherOptions, 'campaigns' | 'outcomes'> {
  readonly ownLists: Pick<AccountLists, 'find' | 'findOffice'>;
  readonly intel: () => Intel;
  readonly mailHosts: Pick<MailHosts, 'load' | 'consult'>;
  readonly goodReports: GoodReports;
}

/** @param before its evidence as stored @param now for what ends at a time, such as entries of lists; milliseconds since the epoch */
export type GatherStored = (signup: AssessmentHead, before: Evidence, now: number) => Awaitable<Evidence>;

/**
 * Asks no source outside and counts nothing: what DNS, registries and reputation services answered stays, and so do velocity,
 * the age of the domain and the name before the `@`. One call at a time.
 */
export function createGatherStored({
  intel,
  ownLists,
  campaigns,
  mailHosts,
  goodReports,
  outcomes,
}: GatherStoredOptions): GatherStored {
  /** Evidence of the signup that is gathered now. */
  let stored: Evidence = EMPTY_EVIDENCE;
  const gatherEmail = createGatherEmail({
    mailExchange: { lookup: () => stored.email.mx },
    domainAge: { lookup: () => stored.email.age },
    mailHosts: {
      load: (hosts, snapshot) => mailHosts.load(hosts, snapshot),
      associate: (served, snapshot) => mailHosts.consult(served, snapshot),
    },
    typingMistakes: createTypingMistakes(),
    goodReports,
    domainReputation: undefined,
  });
  const gather = createGather({
    gatherEmail(email, intel, asker) {
      const { email: before } = stored;
      const gathered = gatherEmail(email, intel, asker);
      return gathered instanceof Promise
        ? gathered.then((later) => withStoredEmail(later, before))
        : withStoredEmail(gathered, before);
    },
    intel,
    ownLists: {
      // A blanked IP has left its network.
      find: (subject, ip) => ownLists.find(withoutAddress(subject), ip ?? stored.ip),
      findOffice: (subject, ip) => ownLists.findOffice(withoutAddress(subject), ip ?? stored.ip),
    },
    ...(campaigns !== undefined && { campaigns }),
    goodReports,
    ...(outcomes !== undefined && { outcomes }),
    ipReputation: undefined,
    observe: () => {},
  });

  return (signup, before, now) => {
    stored = before;
    const { ip1h, ip24h, domain1h, domain24h, mailbox24h, partial } = before.velocity;
    const counts = { network1h: ip1h, network24h: ip24h, domain1h, domain24h, mailbox24h, partial };
    const gathered = gather(toSubject(signup, before, now), { counts, voices: plainVoices(counts) });
    return gathered instanceof Promise
      ? gathered.then((evidence) => withStored(evidence, before))
      : withStored(gathered, before);
  };
}

function toSubject(signup: AssessmentHead, { email, velocity }: Evidence, now: number): Subject {
  const { requestId, accountId, network, emailDomain, addressHash, mailboxHash, ip } = signup;
  return {
    id: requestId,
    account: accountId,
    at: now,
    network,
    domain: emailDomain,
    addressHash,
    mailbox: mailboxHash,
    broughtBy: velocity.broughtBy === '' ? undefined : velocity.broughtBy,
    named: velocity.named,
    email: { address: '', local: '', domain: emailDomain },
    ip: ip === null ? null : (parseIp(ip) ?? null),
    name: email.name,
    spelling: email.respelled ? 'tagged' : 'canonical',
  };
}

/** The address is known by its hash alone. */
function withoutAddress({ account, at, addressHash, mailbox, email, ip }: Subject): ListSubject & {
  readonly account: string;
} {
  return { account, at, addressHash, mailbox, email: { domain: email.domain }, ip };
}

function withStoredEmail(gathered: EmailEvidence, before: EmailEvidence): EmailEvidence {
  const { role, alias, respelled, victim, unknown } = before;
  const isShared = gathered.consumer || gathered.relay;
  // Reputation services are not asked about domains that strangers share.
  const listings = isShared ? [] : before.hits.filter(isUpstream);
  return {
    ...gathered,
    role,
    alias,
    respelled,
    name: gathered.relay ? NO_NAME : before.name,
    victim,
    spam: gathered.spam || listings.length > 0,
    hits: listings.length === 0 ? gathered.hits : [...gathered.hits, ...listings],
    unknown,
  };
}

function withStored(gathered: Evidence, before: Evidence): Evidence {
  return {
    ...gathered,
    ip: gathered.ip === null || before.ip === null ? before.ip : withStoredIp(gathered.ip, before.ip),
    velocity: before.velocity,
    // An office whose entry has ended still explains the crowd of its time.
    office: gathered.office ?? before.office,
  };
}

/** The score does not fall below that of its time, which a service's report is part of. */
function withStoredIp(gathered: IpEvidence, before: IpEvidence): IpEvidence {
  const listings = before.hits.filter(isUpstream);
  const { sharedByKey, unknown } = before;
  if (listings.length === 0) return { ...gathered, sharedByKey, unknown };
  const abuseScore = Math.max(gathered.abuseScore, before.abuseScore);
  return { ...gathered, sharedByKey, unknown, abuseScore, hits: [...gathered.hits, ...listings] };
}

function isUpstream({ source }: Hit): boolean {
  return source === 'abuseipdb' || source.startsWith('dnsbl:');
}
