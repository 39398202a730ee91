/** Gathers what is known of an email address: lists, the mail exchange and the age of its domain. */
import { topLevel } from '../address/domain.ts';
import type { EmailAddress } from '../address/email.ts';
import type { Intel } from '../intel/intel.ts';
import type { DomainAge, EmailEvidence, MailExchange } from './evidence.ts';

export interface EmailGatherers {
  readonly mailExchange: { lookup(domain: string): MailExchange | Promise<MailExchange> };
  readonly domainAge: { lookup(domain: string, now: number): DomainAge | Promise<DomainAge> };
}

const NO_SUCH_DOMAIN: MailExchange = { status: 'no_domain', hosts: [] };
const NO_AGE: DomainAge = { days: -1, status: 'unlisted' };

/** Never throws and never waits longer than its gatherers' own deadlines. A TLD unknown to IANA is asked of nobody. */
export function gatherEmail(
  email: EmailAddress,
  intel: Intel,
  { mailExchange, domainAge }: EmailGatherers,
  now: number,
): EmailEvidence | Promise<EmailEvidence> {
  const { local, domain } = email;
  const known = intel.domain(domain);
  const exists = intel.isTopLevel(topLevel(domain));
  const mx = exists ? mailExchange.lookup(domain) : NO_SUCH_DOMAIN;
  const age = exists ? domainAge.lookup(domain, now) : NO_AGE;
  const compose = (mx: MailExchange, age: DomainAge): EmailEvidence => ({
    domain,
    disposable: known.disposable,
    relay: known.relay,
    spam: known.spam,
    consumer: known.consumer,
    role: intel.isRole(local),
    alias: local.includes('+'),
    mx,
    age,
    hits: known.hits,
  });
  if (mx instanceof Promise || age instanceof Promise) {
    return Promise.all([mx, age]).then(([mx, age]) => compose(mx, age));
  }
  return compose(mx, age);
}
