/** Decides which campaigns an attempt can belong to: the keys of its scopes and marks. */
import type { Subject } from '../evidence/gather.ts';
import type { EmailEvidence, IpEvidence } from '../model/evidence.ts';
import type { GroupKey } from './group-key.ts';
import { keysOf } from './learner.ts';
import { toMember } from './to-member.ts';

/** Keys of an attempt. Asked only for an account with open campaigns. */
export type MemberKeys = (
  subject: Subject,
  email: EmailEvidence,
  ip: IpEvidence | null,
) => Iterable<GroupKey>;

export const memberKeys: MemberKeys = (subject, email, ip) => keysOf(toMember(subject, email, ip));
