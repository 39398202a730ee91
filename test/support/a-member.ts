/** Members of waves and of crowds for tests: everybody has a network of their own unless a test says otherwise. */
import { nameFactsOf } from '../../src/address/name-facts-of.ts';
import { keyOfText } from '../../src/waves/group-key.ts';
import type { WaveMember } from '../../src/waves/wave-member.ts';

const START = Date.UTC(2026, 4, 4);

/** @param minute after the start; also the number of the network */
export function aMember(email: string, minute: number, facts: Partial<WaveMember> = {}): WaveMember {
  const [local = '', domain = ''] = email.split('@');
  const network = Math.floor(minute);
  return {
    accountId: 'acc_1',
    at: START + minute * 60_000,
    domain,
    registrable: domain.split('.').slice(-2).join('.'),
    domainKind: 'private',
    mayBeNew: true,
    mayBeUsual: true,
    name: nameFactsOf(local, (stem) => keyOfText(stem).low || 1),
    victim: '',
    mailbox: email,
    addressHash: email,
    isCanonical: true,
    range: `10.${(network >> 8) & 255}.${network & 255}.0/24`,
    isHosting: false,
    mailHosts: [],
    isStopped: false,
    isLetIn: facts.isStopped !== true,
    isBlocked: false,
    ...facts,
  };
}
