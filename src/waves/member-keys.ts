/** Decides which campaigns an attempt can belong to: the keys of its scopes and marks. */
import type { Subject } from '../evidence/gather.ts';
import type { EmailEvidence, IpEvidence } from '../model/evidence.ts';
import { hexOf, joinKeys } from './group-key.ts';
import { ANY } from './learning.ts';
import { mailboxScope, rangeOf, registrableOf, type Scope, scopeOf } from './scopes.ts';

/** Keys of an attempt, as campaigns are stored with. Asked only for an account with open campaigns. */
export type MemberKeys = (subject: Subject, email: EmailEvidence, ip: IpEvidence | null) => readonly string[];

/** Keys of waves whose members share nothing but their scope. */
export const memberKeys: MemberKeys = ({ domain, network, mailbox }, { consumer, relay, strangers }) => {
  const scopes: Scope[] = [mailboxScope(mailbox)];
  // Strangers meet at a provider.
  if (!consumer && !relay && !strangers) scopes.push(scopeOf('domain', registrableOf(domain)));
  if (network !== null) scopes.push(scopeOf('address', network), scopeOf('range', rangeOf(network)));
  return scopes.map(({ key }) => hexOf(joinKeys(key, ANY)));
};
