/** Decides when what was gathered of one address serves for another of the same domain: as long as every source would answer the same again, at once. */
import type { Intel } from '../intel/intel.ts';
import type { EmailEvidence } from '../model/evidence.ts';
import type { EmailAddress } from '../model/signup-attempt.ts';
import type { DomainAgeLookup } from './domain-age.ts';
import { createGatherEmail, type EmailAsker, type EmailGatherers, type GatherEmail } from './email.ts';
import type { MailExchangeLookup } from './mail-exchange.ts';
import type { MailHosts, RememberedAssociation } from './mail-hosts.ts';
import type { CountedAnswer } from './remembered-answer.ts';
import { createTwoGenerationCache } from './two-generation-cache.ts';

export interface EmailMemoryOptions extends EmailGatherers {
  readonly mailExchange: Pick<MailExchangeLookup, 'lookup' | 'remembered'>;
  readonly domainAge: Pick<DomainAgeLookup, 'lookup' | 'remembered'>;
  readonly mailHosts: Pick<MailHosts, 'load' | 'associate' | 'remembered'>;
}

/** What was gathered of a domain, as of an address that is neither a role nor has a tag. */
interface RememberedEmail {
  readonly evidence: EmailEvidence;
  readonly intel: Intel;
  readonly account: string;
  readonly mx: CountedAnswer;
  readonly age: CountedAnswer;
  readonly association: RememberedAssociation;
}

/** Domains at most, each in some hundred bytes besides its evidence. */
const CAPACITY = 4_096;

export function createRememberingGatherEmail(gatherers: EmailMemoryOptions): GatherEmail {
  const gatherEmail = createGatherEmail(gatherers);
  const memory = createTwoGenerationCache<RememberedEmail>(CAPACITY);

  function remember(evidence: EmailEvidence, intel: Intel, { account, at }: EmailAsker): void {
    if (dependsOnReports(evidence)) return;
    const {
      domain,
      mx: exchange,
      age: { days: ageDays },
    } = evidence;
    const mx = gatherers.mailExchange.remembered(domain);
    const age = mx && gatherers.domainAge.remembered(domain, at);
    if (mx === undefined || age === undefined) return;
    const served = { account, domain, known: intel.domain(domain), hosts: exchange.hosts, ageDays };
    const association = gatherers.mailHosts.remembered(served, intel);
    if (association === undefined) return;
    const plainEvidence = { ...evidence, role: false, alias: false };
    memory.set(domain, { evidence: plainEvidence, intel, account, mx, age, association });
  }

  return (email, intel, asker) => {
    const known = memory.get(email.domain);
    if (known !== undefined && isCurrent(known, intel, asker)) {
      known.mx.count();
      known.age.count();
      return of(email, known.evidence, intel);
    }
    const gathered = gatherEmail(email, intel, asker);
    if (!(gathered instanceof Promise)) remember(gathered, intel, asker);
    return gathered;
  };
}

/** What the account has reported of a domain counts only where a list or the spelling accuses it. */
function dependsOnReports({ disposable, disposableDisputed, providerMeant }: EmailEvidence): boolean {
  return disposable || disposableDisputed || providerMeant !== '';
}

function isCurrent(
  { intel, account, mx, age, association }: RememberedEmail,
  now: Intel,
  asker: EmailAsker,
): boolean {
  return (
    intel === now &&
    (association.isCommon || account === asker.account) &&
    association.isCurrent(asker.at) &&
    mx.isCurrent(asker.at) &&
    age.isCurrent(asker.at)
  );
}

function of({ local }: EmailAddress, evidence: EmailEvidence, intel: Intel): EmailEvidence {
  const role = intel.isRole(local);
  const alias = local.includes('+');
  return role || alias ? { ...evidence, role, alias } : evidence;
}
