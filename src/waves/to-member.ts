/** Makes of a signup and what was gathered about it what the learner of waves is told. */
import { mayBeUsual } from '../evidence/usual-domain.ts';
import type { EmailEvidence, IpEvidence } from '../model/evidence.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { rangeOf, registrableOf } from './scopes.ts';
import type { WaveMember } from './wave-member.ts';

/** Age from which on a domain speaks for its people. */
const OLD_DAYS = 3 * 365;
/** Age up to which a domain may be bought for a wave. */
const NEW_DAYS = 120;

/** Signup without its evidence, live or stored. */
export type MemberSignup = Pick<
  VelocityEvent,
  'account' | 'at' | 'network' | 'domain' | 'addressHash' | 'mailbox'
>;

/** Answer to a signup. */
type Outcome = Pick<WaveMember, 'isStopped' | 'isLetIn' | 'isBlocked'>;

const LET_IN: Outcome = { isStopped: false, isLetIn: true, isBlocked: false };

/** @param outcome as it was judged; before that, nobody stops it */
export function toMember(
  signup: MemberSignup,
  email: EmailEvidence,
  ip: IpEvidence | null,
  { isStopped, isLetIn, isBlocked }: Outcome = LET_IN,
): WaveMember {
  const { account, at, domain, mailbox, addressHash, network } = signup;
  const { age, mx } = email;
  const domainKind = domainKindOf(email);
  const isShared = ip !== null && (ip.sharedPlace !== '' || ip.sharedByKey);
  return {
    accountId: account,
    at,
    domain,
    registrable: domainKind === 'private' || domainKind === 'guarded' ? registrableOf(domain) : domain,
    domainKind,
    mayBeNew: age.days <= NEW_DAYS,
    mayBeUsual: mayBeUsual(email),
    name: email.name,
    victim: email.victim,
    mailbox,
    addressHash,
    isCanonical: !email.respelled,
    range: network === null || isShared ? null : rangeOf(network),
    isHosting: ip !== null && (ip.datacenter || ip.vpn || ip.proxy || ip.tor),
    // The preferred one: others are often a provider's second line.
    mailHosts: mx.hosts.slice(0, 1).map(registrableOf),
    isStopped,
    isLetIn,
    isBlocked,
  };
}

function domainKindOf(email: EmailEvidence): WaveMember['domainKind'] {
  // Strangers share what lists call throw-away, too; their names are made by programs.
  if (email.relay || email.disposable) return 'relay';
  if (email.consumer || email.strangers) return 'provider';
  if (email.providerMeant !== '') return 'mistyped';
  const hasStanding = email.standing !== '' && email.standing !== 'usual';
  // Generated names are a wave also where ordinary people came before.
  return hasStanding || email.age.days >= OLD_DAYS ? 'guarded' : 'private';
}
