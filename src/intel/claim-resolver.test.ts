import { describe, expect, it } from 'vitest';
import type { Category } from '../model/source.ts';
import { createClaimResolver } from './claim-resolver.ts';

const CLAIMS: readonly (Category | 'vouched')[] = [
  'disposable',
  'relay',
  'consumer',
  'vouched',
  'spam',
  'tor',
  'vpn',
  'proxy',
  'datacenter',
  'abuse',
];
const resolver = createClaimResolver(
  CLAIMS.map((claim) => ({
    category: claim === 'vouched' ? 'consumer' : claim,
    vouched: claim === 'vouched',
    origin: 'test',
  })),
);
const mask = (...claims: (Category | 'vouched')[]): bigint =>
  claims.reduce((sum, claim) => sum | (1n << BigInt(CLAIMS.indexOf(claim))), 0n);

describe('settle', () => {
  it.each([
    ['a relay is never disposable', mask('relay', 'disposable'), mask('relay')],
    ['a relay is no provider', mask('relay', 'consumer', 'vouched'), mask('relay')],
    ['a disposable domain is no provider', mask('disposable', 'consumer'), mask('disposable')],
    [
      'a vouched provider is neither disposable nor spam',
      mask('vouched', 'disposable', 'spam'),
      mask('vouched'),
    ],
    ['facts of a domain stack', mask('disposable', 'spam'), mask('disposable', 'spam')],
    ['a privacy relay is neither VPN nor hosting', mask('relay', 'vpn', 'datacenter'), mask('relay')],
    [
      'a Tor exit may be in a data centre',
      mask('tor', 'datacenter', 'abuse'),
      mask('tor', 'datacenter', 'abuse'),
    ],
    ['abuse counts on a privacy relay as well', mask('relay', 'proxy', 'abuse'), mask('relay', 'abuse')],
  ])('%s', (_, claims, holds) => {
    expect(resolver.resolve(claims)).toBe(holds);
  });

  it.each([
    ['a name below a relay', mask('disposable'), mask('relay'), 0n],
    ['a name below a vouched provider', mask('disposable'), mask('vouched'), 0n],
    ['a provider below a disposable domain', mask('consumer'), mask('disposable'), 0n],
    ['a vouched provider below a disposable domain', mask('vouched'), mask('disposable'), mask('vouched')],
    ['a disposable name below a provider', mask('disposable'), mask('consumer'), mask('disposable')],
  ])('from above: %s', (_, claims, above, holds) => {
    expect(resolver.resolve(claims, above)).toBe(holds);
  });
});
