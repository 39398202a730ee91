import { describe, expect, it } from 'vitest';
import { compileSnapshot } from './compile.ts';
import { NetworkClaims } from './network-claims.ts';
import { readSnapshot } from './snapshot.ts';

const NAMES = new Map([
  [64500, 'Zürich "Hosts", Inc.'],
  [64501, ''],
  [64502, 'Example Online GmbH'],
  [64503, 'Deutsche Example AG'],
  [64504, 'Counterexample Ltd'],
  [64505, 'EXAMPLE'],
  [64506, 'Öst Hosts'],
]);

const intel = readSnapshot(
  compileSnapshot({
    sources: [],
    domains: new Map(),
    wildcards: new Map(),
    institutions: new Set(),
    isShared: () => false,
    topLevels: new Set(),
    roles: new Set(),
    networks: networks(),
    asNames: NAMES,
    asnClaims: new Map(),
  }).bytes,
);

function networks(): NetworkClaims {
  const claims = new NetworkClaims();
  for (const [at, asn] of [...NAMES.keys()].entries())
    claims.addBlock(`9.${at}.0.0/16`, claims.label({ country: 'CH', asn }));
  claims.addBlock('9.200.0.0/16', claims.label({ country: 'US', asn: 64502 }));
  return claims;
}

describe('names of autonomous systems', () => {
  it.each([
    [64500, 'Zürich "Hosts", Inc.'],
    [64501, ''],
    [64506, 'Öst Hosts'],
    [0, ''],
    [64499, ''],
    [4_294_967_295, ''],
  ])('gives AS%i the name "%s"', (asn, name) => {
    expect(intel.asName(asn)).toBe(name);
  });

  it('finds the words that begin with a text, the best match first', () => {
    expect(intel.asesNamed('example', 9)).toEqual([
      { asn: 64505, name: 'EXAMPLE' },
      { asn: 64502, name: 'Example Online GmbH' },
      { asn: 64503, name: 'Deutsche Example AG' },
    ]);
    expect(intel.asesNamed('Example', 1)).toHaveLength(1);
  });

  it.each([
    ['zür', [64500]],
    ['Öst', [64506]],
    ['ZüR', [64500]],
    ['hosts', [64506, 64500]],
    ['online gmbh', [64502]],
    ['inc. ex', []],
    ['xample', []],
    ['', []],
  ])('finds "%s"', (text, asns) => {
    expect(intel.asesNamed(text, 9).map(({ asn }) => asn)).toEqual(asns);
  });
});
