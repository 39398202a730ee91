/** Makes of a signup and what was gathered about it what the learner of waves is told. */
import { nameShapeOf } from '../address/name-shape.ts';
import type { Subject } from '../evidence/gather.ts';
import { mayBeUsual } from '../evidence/usual-domain.ts';
import type { EmailEvidence, IpEvidence } from '../model/evidence.ts';
import { keyOfText } from './group-key.ts';
import { rangeOf, registrableOf } from './scopes.ts';
import type { MemberName, WaveMember } from './wave-member.ts';

/** Age from which on a domain speaks for its people. */
const OLD_DAYS = 3 * 365;
/** Age up to which a domain may be bought for a wave. */
const NEW_DAYS = 120;

export function toMember(subject: Subject, email: EmailEvidence, ip: IpEvidence | null): WaveMember {
  const { account, at, domain, mailbox, addressHash, spelling, network } = subject;
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
    // A role is nobody's name.
    name: email.role ? NO_NAME : memberNameOf(subject.email.local),
    victim: email.victim,
    mailbox,
    addressHash,
    isCanonical: spelling === 'canonical',
    range: network === null || isShared ? null : rangeOf(network),
    isHosting: ip !== null && (ip.datacenter || ip.vpn || ip.proxy || ip.tor),
    // The preferred one: others are often a provider's second line.
    mailHosts: mx.hosts.slice(0, 1).map(registrableOf),
    isStopped: false,
  };
}

const NO_NAME: MemberName = { odds: 0, strangeness: 0, known: '', mask: '', stem: 0, stemLetters: 0 };

function domainKindOf(email: EmailEvidence): WaveMember['domainKind'] {
  // Strangers share what lists call throw-away, too; their names are made by programs.
  if (email.relay || email.disposable) return 'relay';
  if (email.consumer || email.strangers) return 'provider';
  if (email.providerMeant !== '') return 'mistyped';
  const hasStanding = email.standing !== '' && email.standing !== 'usual';
  // The learner knows by itself what is usual, and judges names by those of the domain's people.
  return hasStanding || email.age.days >= OLD_DAYS ? 'guarded' : 'private';
}

function memberNameOf(local: string): MemberName {
  const { odds, strangeness, known, mask, stem, number } = nameShapeOf(local);
  return {
    odds,
    strangeness,
    known,
    mask,
    stem: number < 0 || stem === '' ? 0 : keyOfText(`stem ${stem}`).low,
    stemLetters: stem.length,
  };
}
