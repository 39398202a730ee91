/** Members of waves and of crowds for tests: everybody has a network of their own unless a test says otherwise. */
import { nameShapeOf } from '../../src/address/name-shape.ts';
import { keyOfText } from '../../src/waves/group-key.ts';
import type { WaveMember } from '../../src/waves/wave-member.ts';

const START = Date.UTC(2026, 4, 4);

/** @param minute after the start; also the number of the network */
export function aMember(email: string, minute: number, facts: Partial<WaveMember> = {}): WaveMember {
  const [local = '', domain = ''] = email.split('@');
  const { odds, strangeness, known, mask, stem, number } = nameShapeOf(local);
  const network = Math.floor(minute);
  return {
    accountId: 'acc_1',
    at: START + minute * 60_000,
    domain,
    registrable: domain.split('.').slice(-2).join('.'),
    domainKind: 'private',
    mayBeNew: true,
    mayBeUsual: true,
    name: {
      odds,
      strangeness,
      known,
      mask,
      stem: number < 0 ? 0 : keyOfText(stem).low,
      stemLetters: stem.length,
    },
    victim: '',
    mailbox: email,
    addressHash: email,
    isCanonical: true,
    range: `10.${(network >> 8) & 255}.${network & 255}.0/24`,
    isHosting: false,
    mailHosts: [],
    isStopped: false,
    ...facts,
  };
}
