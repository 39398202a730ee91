/** Decides when what was gathered of one address serves for another of the same domain: as long as every source would answer the same again, at once. */
import type { Intel } from '../intel/intel.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import {
  createGatherEmail,
  type EmailAsker,
  type EmailGatherers,
  type GatherEmail,
  localPartOf,
} from './gather-email.ts';
import type { MailHosts } from './mail-hosts.ts';
import type { DomainAgeLookup } from './sources/domain-age.ts';
import type { MailExchangeLookup } from './sources/mail-exchange.ts';
import type { RememberedAnswer } from './sources/remembered-answer.ts';
import { createTwoGenerationCache } from './sources/two-generation-cache.ts';

export interface EmailMemoryOptions extends EmailGatherers {
  readonly mailExchange: Pick<MailExchangeLookup, 'lookup' | 'remembered' | 'countSpared'>;
  readonly domainAge: Pick<DomainAgeLookup, 'lookup' | 'remembered' | 'changes' | 'countSpared'>;
  readonly mailHosts: Pick<MailHosts, 'load' | 'associate' | 'remembered' | 'changes' | 'distrusted'>;
}

/** Evidence that was gathered of a domain, as of an address whose local part says nothing. */
interface RememberedEmail {
  readonly evidence: EmailEvidence;
  /** Id of the snapshot. The snapshot itself would stay in memory for as long as the domain is remembered. */
  readonly snapshot: string;
  /** `null`: every account gets it. */
  readonly account: string | null;
  /** Answers that it was made from. */
  readonly answers: readonly RememberedAnswer[];
  /** Milliseconds since the epoch: when all answers were last found to be the same, and how long they are if no source changes. */
  checkedAt: number;
  readonly until: number;
  /** Change counts of the sources, from when the answers were last found to be the same. */
  ages: number;
  hosts: number;
}

/** Domains at most, each in some hundred bytes besides its evidence. */
const CAPACITY = 4_096;

export function createRememberingGatherEmail(gatherers: EmailMemoryOptions): GatherEmail {
  const { mailExchange, domainAge, mailHosts } = gatherers;
  const gatherEmail = createGatherEmail(gatherers);
  const memory = createTwoGenerationCache<RememberedEmail>(CAPACITY);

  function remember(evidence: EmailEvidence, intel: Intel, { account, at }: EmailAsker): void {
    if (dependsOnReports(evidence)) return;
    const {
      domain,
      mx: exchange,
      age: { days: ageDays },
    } = evidence;
    const mx = mailExchange.remembered(domain);
    const age = mx && domainAge.remembered(domain, at);
    if (mx === undefined || age === undefined) return;
    const served = { account, domain, known: intel.domain(domain), hosts: exchange.hosts, ageDays };
    const association = mailHosts.remembered(served, intel);
    if (association === undefined) return;
    memory.set(domain, {
      evidence: {
        ...evidence,
        role: false,
        alias: false,
        respelled: false,
        name: NO_NAME,
        victim: isGateway(evidence) ? 'gateway' : '',
      },
      snapshot: intel.id,
      account: association.isCommon ? null : account,
      answers: [association, mx, age],
      checkedAt: at,
      until: Math.min(association.until, mx.until, age.until),
      ages: domainAge.changes,
      hosts: mailHosts.changes,
    });
  }

  /** The answers lie far apart in memory: they are asked one by one only when a source has changed, or a clock was set back. */
  function isCurrent(known: RememberedEmail, now: Intel, { account, at }: EmailAsker): boolean {
    if (known.snapshot !== now.id || at >= known.until || mailHosts.distrusted) return false;
    if (known.account !== null && known.account !== account) return false;
    const [ages, hosts] = [domainAge.changes, mailHosts.changes];
    if (known.ages === ages && known.hosts === hosts && at >= known.checkedAt) return true;
    if (!known.answers.every((answer) => answer.isCurrent(at))) return false;
    known.ages = ages;
    known.hosts = hosts;
    known.checkedAt = at;
    return true;
  }

  return (email, intel, asker) => {
    const known = memory.get(email.domain);
    if (known !== undefined && isCurrent(known, intel, asker)) {
      mailExchange.countSpared();
      domainAge.countSpared();
      return withLocalPart(email, known.evidence, intel, asker);
    }
    const gathered = gatherEmail(email, intel, asker);
    if (!(gathered instanceof Promise)) remember(gathered, intel, asker);
    return gathered;
  };
}

/** Whether the account's reports matter: what it has reported of a domain counts only where a list or the spelling accuses it. */
function dependsOnReports({ disposable, disposableDisputed, providerMeant }: EmailEvidence): boolean {
  return disposable || disposableDisputed || providerMeant !== '';
}

function isGateway({ victim }: EmailEvidence): boolean {
  return victim === 'gateway';
}

function withLocalPart(
  email: EmailAddress,
  evidence: EmailEvidence,
  intel: Intel,
  asker: EmailAsker,
): EmailEvidence {
  const about = { relay: evidence.relay, isGateway: isGateway(evidence) };
  const { role, alias, respelled, name, victim } = localPartOf(email, intel, asker, about);
  return { ...evidence, role, alias, respelled, name, victim };
}
