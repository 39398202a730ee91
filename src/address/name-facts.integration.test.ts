/** Facts of names: short as they are stored, the same when they are read, and without a readable part. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KNOWN, type NameFacts, NO_NAME } from '../model/name-facts.ts';
import { createAddressHashes } from './fingerprint.ts';
import { readNameFacts, withoutTraits, withoutWord, writeNameFacts } from './name-facts.ts';
import { nameFactsOf } from './name-facts-of.ts';

const { hashStem } = createAddressHashes([Buffer.alloc(32, 7)]);
const factsOf = (local: string) => nameFactsOf(local, hashStem);
const EMMA = factsOf('emma1987');

it('have no letters and no number of the name, but a keyed hash of its letters', () => {
  expect(EMMA).toMatchObject({ known: 'name', mask: 'l4d4', stemLetters: 4 });
  expect(EMMA.stem).toBeGreaterThan(0);
  expect(factsOf('emma4').stem).toBe(EMMA.stem);
  expect(factsOf('emmy1987').stem).not.toBe(EMMA.stem);
  expect(nameFactsOf('emma1987', createAddressHashes([Buffer.alloc(32, 8)]).hashStem).stem).not.toBe(
    EMMA.stem,
  );
  expect(factsOf('emma1987')).toEqual(factsOf('emma1988'));
  expect(writeNameFacts(EMMA)).not.toMatch(/emma|1987/);
});

it.each([
  ['digits alone', 'emma', 'l4'],
  ['13800138000', '13800138000', 'd11'],
])('have no stem: %s', (_, local, mask) => {
  expect(factsOf(local)).toMatchObject({ mask, stem: 0, stemLetters: 0 });
});

it('of a role keep what stands before a number, and nothing else', () => {
  const [one, other] = [withoutWord(factsOf('test50')), withoutWord(factsOf('test51'))];
  expect(one).toMatchObject({ odds: 0, strangeness: 0, known: '', mask: 'l4d2', stemLetters: 4 });
  expect(one.stem).toBe(other.stem);
  expect(readNameFacts(writeNameFacts(one))).toEqual(one);
  expect(withoutWord(factsOf('test'))).toEqual(NO_NAME);
});

it('shorten what is long', () => {
  expect(factsOf('a.b.c.d.e.f.g.h')).toMatchObject({ mask: 'l1.l1.l1.l1*' });
  expect(factsOf(`${'abcdefghij'.repeat(5)}1`).stemLetters).toBe(35);
});

it('come back as they were, in at most 25 bytes', () => {
  const names = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aeostnr0179._-éß王'), maxLength: 60 }).map(factsOf),
    fc.record({
      odds: fc.integer({ min: -200, max: 200 }).map((tenths) => tenths / 10),
      strangeness: fc.integer({ min: -90, max: 90 }).map((tenths) => tenths / 10),
      known: fc.constantFrom(...KNOWN),
      mask: fc.string({ unit: fc.constantFrom(...'ldux0123456789._-?'), minLength: 1, maxLength: 12 }),
      stem: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      stemLetters: fc.integer({ min: 1, max: 35 }),
    }) satisfies fc.Arbitrary<NameFacts>,
  );
  fc.assert(
    fc.property(names, (name) => {
      const text = writeNameFacts(name);
      expect(text).toMatch(/^[0-9a-z._?*:-]{0,25}$/);
      expect(readNameFacts(text)).toEqual(name);
    }),
  );
});

it('are nothing where nothing is known', () => {
  expect(factsOf('')).toEqual(NO_NAME);
  expect(writeNameFacts(NO_NAME)).toBe('');
  expect(readNameFacts('')).toEqual(NO_NAME);
});

it('keep without their traits only the odds that speak against a name', () => {
  expect(withoutTraits(EMMA)).toEqual(NO_NAME);
  const odd = factsOf('x7f9q2k1zp');
  expect(withoutTraits(odd)).toEqual({ ...NO_NAME, odds: odd.odds });
  expect(readNameFacts(writeNameFacts(withoutTraits(odd)))).toEqual(withoutTraits(odd));
});
