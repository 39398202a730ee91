import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromWords } from '../address/ip.ts';
import { compileSnapshot } from './compile.ts';
import { compileWithFeeds } from './compile-feeds.ts';
import type { AppliedFeed, Feed } from './feed.ts';
import { NetworkClaims } from './network-claims.ts';
import { readSnapshot } from './snapshot.ts';

/** 32 addresses of each family with many blocks, so that every kind of nesting and touching occurs. */
const BITS = 5;
const FAMILIES = [
  { base: [0x14000000], host: 27 },
  { base: [0x2a000000, 0, 0, 0xffffff00], host: 123 },
] as const;

interface Block {
  readonly at: number;
  readonly bits: number;
}

const block = fc
  .tuple(fc.nat(2 ** BITS - 1), fc.nat(BITS))
  .map(([at, bits]): Block => ({ at: (at >> bits) << bits, bits }));
const list = fc.array(block, { maxLength: 8 });

const covers = ({ at, bits }: Block, offset: number): boolean => offset >> bits === at >> bits;

it.each(FAMILIES)('gives the same as a check of every block, from $base', ({ base, host }) => {
  const addressAt = (offset: number) => {
    const words: number[] = [...base];
    words[words.length - 1] = (words.at(-1) as number) + offset;
    return fromWords(words);
  };
  const textOf = ({ at, bits }: Block): string =>
    bits === 0 ? addressAt(at).text : `${addressAt(at).text}/${host + BITS - bits}`;
  const feedOf = (id: string, category: Feed['category'], blocks: readonly Block[]): AppliedFeed => ({
    feed: {
      id,
      url: 'file:none',
      format: 'addresses',
      category,
      entryKind: 'range',
      licence: 'none',
      everyHours: 1,
      enabled: true,
      abuseWeight: 40,
    },
    version: '1',
    fetchedAt: 0,
    parsed: { entries: blocks.map(textOf), rows: blocks.length, errors: 0 },
    departed: [],
  });
  const check = (countries: readonly Block[], feeds: readonly (readonly Block[])[]): void => {
    const networks = new NetworkClaims();
    for (const [at, below] of countries.entries())
      networks.addBlock(textOf(below), networks.label({ asn: at + 1 }));
    const empty = {
      domains: new Map(),
      topLevels: new Set<string>(),
      roles: new Set<string>(),
      asNames: new Map(),
      asnClaims: new Map(),
    };
    const base = compileSnapshot({
      ...empty,
      sources: [],
      networks,
      wildcards: new Map(),
      institutions: new Set<string>(),
      isShared: () => false,
    });
    const facts = ['vpn', 'proxy', 'abuse'] as const;
    const applied = facts.map((fact, at) => feedOf(fact, fact, feeds[at] ?? []));
    const intel = readSnapshot(compileWithFeeds(base.bytes, applied, 0).bytes);
    const plain = readSnapshot(base.bytes);
    for (let offset = -1; offset <= 2 ** BITS; offset += 1) {
      const address = addressAt(offset);
      const known = intel.network(address);
      const expected = facts.flatMap((fact, at) => {
        const around = (feeds[at] ?? [])
          .filter((block) => covers(block, offset))
          .sort((a, b) => a.bits - b.bits);
        return around[0] === undefined ? [] : [`${fact} ${textOf(around[0])}`];
      });
      expect(known.hits.map(({ fact, entry }) => `${fact} ${entry}`)).toEqual(expected);
      expect(known.asn).toBe(plain.network(address).asn);
      expect(known.abuseScore).toBe(expected.some((hit) => hit.startsWith('abuse')) ? 40 : 0);
    }
  };
  fc.assert(
    fc.property(list, fc.array(list, { minLength: 3, maxLength: 3 }), (countries, feeds) =>
      check(countries, feeds),
    ),
    { numRuns: 40 },
  );
});
