/** Makes of a stored signup what the learner of waves is told: the same as when it was judged. */
import { isBrought } from '../model/velocity-facts.ts';
import type { StoredAssessment } from '../store/stored-assessment.ts';
import { toMember } from '../waves/to-member.ts';
import type { WaveMember } from '../waves/wave-member.ts';
import { ERASED_DOMAIN } from './anonymize.ts';
import { readSources } from './read-facts.ts';

/** @returns `null` for one of the sandbox, for whom somebody brought, and for an erased person: they belong to no wave */
export function toStoredMember(record: StoredAssessment): WaveMember | null {
  const { mode, accountId: account, at, network, emailDomain: domain, addressHash, mailboxHash } = record;
  if (mode !== 'live' || domain === ERASED_DOMAIN || isBrought(record)) return null;
  const { email, ip } = readSources(record.facts, record);
  const signup = { account, at, network, domain, addressHash, mailbox: mailboxHash };
  const { verdict, shadow } = record;
  const isStopped = verdict !== 'allow';
  // In shadow mode everybody is let in.
  const outcome = { isStopped, isLetIn: shadow || !isStopped, isBlocked: verdict === 'block' && !shadow };
  return toMember(signup, email, ip, outcome);
}
