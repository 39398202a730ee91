/** Gathers evidence about an address with real look-ups of mail exchangers and hosts, and no other outside requests. */
import { parseEmail } from '../../src/address/email.ts';
import { createGatherEmail, type EmailGatherers } from '../../src/evidence/gather-email.ts';
import type { Intel } from '../../src/intel/intel.ts';
import { createTypingMistakes } from '../../src/intel/typing-mistake.ts';
import type { EmailEvidence } from '../../src/model/evidence.ts';
import { NO_NAME } from '../../src/model/name-facts.ts';

interface MailLookups extends Pick<EmailGatherers, 'mailExchange' | 'mailHosts'> {
  readonly intel: Intel;
}

/** @throws Error if no address at such a domain is possible */
export async function gatherByMail(
  domain: string,
  { intel, ...lookups }: MailLookups,
  moment: { readonly account: string; readonly at: number },
): Promise<EmailEvidence> {
  const email = parseEmail(`jo@${domain}`);
  if (email === undefined) throw new Error(`not an address at ${domain}`);
  const gatherers = {
    ...lookups,
    domainAge: { lookup: async () => ({ days: -1, status: 'unlisted' as const }) },
    typingMistakes: createTypingMistakes(),
    goodReports: { isGood: () => false },
    domainReputation: undefined,
  };
  return createGatherEmail(gatherers)(email, intel, { ...moment, name: NO_NAME, spelling: 'canonical' });
}
