/** Decides which campaigns an attempt can belong to: the keys of its scopes and marks. */
import type { Subject } from '../evidence/gather.ts';
import type { CampaignScope } from '../model/campaign.ts';
import type { EmailEvidence, IpEvidence } from '../model/evidence.ts';
import { type GroupKey, hexOf } from './group-key.ts';
import { keysOf } from './learner.ts';
import { scopesOf, type WantedKinds } from './scopes.ts';
import { toMember } from './to-member.ts';
import type { WaveMember } from './wave-member.ts';

/** Keys of an attempt in scopes of some kinds. Asked only for an account with open campaigns, and for their kinds. */
export type MemberKeys = (
  subject: Subject,
  email: EmailEvidence,
  ip: IpEvidence | null,
  wanted?: WantedKinds,
) => Iterable<GroupKey>;

export const memberKeys: MemberKeys = (subject, email, ip, wanted) => {
  const member = toMember(subject, email, ip);
  return keysOf(member, scopesOf(member, true, wanted));
};

/** Whether a campaign with this key, and a scope of this kind, would be the member's. @param key 16 hex digits */
export function hasGroupKey(member: WaveMember, key: string, kind: CampaignScope): boolean {
  return keysOf(member, scopesOf(member, true, new Set([kind]))).some((own) => hexOf(own) === key);
}
