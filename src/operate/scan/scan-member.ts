/** Decides what of a row may be shared with other members of a wave. */
import { nameShapeOf } from '../../address/name-shape.ts';
import type { Subject } from '../../evidence/gather.ts';
import type { EmailEvidence, Evidence } from '../../model/evidence.ts';
import { keyOfText } from '../../waves/group-key.ts';
import { rangeOf, registrableOf } from '../../waves/scopes.ts';
import type { WaveMember } from '../../waves/wave-member.ts';

const GUARDED_DAYS = 3 * 365;
const NEW_DAYS = 120;

export function toScanMember(subject: Subject, { email, ip }: Evidence): WaveMember {
  const { local, domain } = subject.email;
  const { odds, strangeness, known, mask, stem, number } = nameShapeOf(local);
  const isShared = email.consumer || email.strangers || email.relay;
  const sharesPlace = ip !== null && (ip.sharedPlace !== '' || ip.sharedByKey);
  return {
    accountId: subject.account,
    at: subject.at,
    domain,
    registrable: isShared ? domain : registrableOf(domain),
    domainKind: kindOf(email),
    mayBeNew: email.age.days < 0 || email.age.days <= NEW_DAYS,
    name: {
      odds,
      strangeness,
      known,
      mask,
      stem: number < 0 ? 0 : keyOfText(stem).low,
      stemLetters: stem.length,
    },
    victim: email.victim,
    mailbox: subject.mailbox,
    addressHash: subject.addressHash,
    isCanonical: subject.spelling === 'canonical',
    range: subject.network === null || sharesPlace ? null : rangeOf(subject.network),
    isHosting: ip !== null && (ip.datacenter || ip.vpn || ip.proxy || ip.tor),
    mailHosts: email.mx.hosts.slice(0, 1).map(registrableOf),
    isStopped: false,
  };
}

function kindOf(email: EmailEvidence): WaveMember['domainKind'] {
  if (email.relay) return 'relay';
  if (email.consumer || email.strangers) return 'provider';
  if (email.providerMeant !== '') return 'mistyped';
  return email.standing !== '' || email.age.days >= GUARDED_DAYS ? 'guarded' : 'private';
}
