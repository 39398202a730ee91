import { expect, it } from 'vitest';
import { type CountedPlace, candidatePlaces, chooseCover } from './attack-cover.ts';
import type { Attacker, AttackPlace } from './attack-place.ts';

const FREE_MAIL = ['gmail.com', 'hotmail.com'];
const isCrowded = (domain: string) => FREE_MAIL.includes(domain);
const many = (count: number, make: (at: number) => Attacker) =>
  Array.from({ length: count }, (_, at) => make(at));
const from = (ip: string, domain = 'gmail.com'): Attacker => ({ ip, domain });

/** @param innocents others, by the value of the place */
function cover(
  attackers: readonly Attacker[],
  {
    ranges = [],
    innocents = {},
  }: {
    readonly ranges?: readonly { readonly value: string; readonly count: number }[];
    readonly innocents?: Readonly<Record<string, number>>;
  } = {},
) {
  const candidates = candidatePlaces(attackers, { ranges, isCrowded });
  const counted = candidates.map(
    (place: AttackPlace): CountedPlace => ({ ...place, innocents: innocents[place.value] ?? 0 }),
  );
  const { places, covered } = chooseCover(attackers, counted);
  return { values: places.map(({ value }) => value).sort(), covered };
}

it('names one IP where all come from it', () => {
  expect(cover(many(30, () => from('203.0.113.9')))).toEqual({ values: ['203.0.113.9'], covered: 30 });
});

it('names the smallest block with all addresses of a range', () => {
  const attackers = many(60, (at) => from(`203.0.113.${64 + (at % 32)}`));
  expect(cover(attackers)).toEqual({ values: ['203.0.113.64/27'], covered: 60 });
});

it('joins neighbouring ranges that nobody else uses, and no others', () => {
  const attackers = many(400, (at) => from(`45.12.${96 + (at % 4)}.${at % 250}`));
  expect(cover(attackers).values).toEqual(['45.12.96.0/22']);
  const ranges = [
    { value: '45.12.97.0/24', count: 100 },
    { value: '45.12.98.0/24', count: 500 },
  ];
  expect(cover(attackers, { ranges }).values).toEqual(['45.12.96.0/23', '45.12.98.0/24', '45.12.99.0/24']);
});

it('joins networks of IPv6', () => {
  const attackers = many(40, (at) => from(`2001:db8:1:${at.toString(16)}::${at + 1}`));
  expect(cover(attackers).values).toEqual(['2001:db8:1::/56']);
});

it('leaves out stragglers beyond 95 in 100, and never names a domain that strangers share', () => {
  const attackers = [...many(97, () => from('203.0.113.9')), ...many(3, (at) => from(`198.51.${at}.7`))];
  expect(cover(attackers)).toEqual({ values: ['203.0.113.9'], covered: 97 });
});

it('names what was registered, not each of its sub-domains', () => {
  const attackers = many(50, (at) => from(`198.${at + 1}.100.7`, `m${at}.postfarm.com`));
  expect(cover(attackers)).toEqual({ values: ['postfarm.com'], covered: 50 });
});

it('never names a place that mostly holds innocent people', () => {
  const attackers = many(50, () => from('203.0.113.9', 'postfarm.com'));
  const crowded = { '203.0.113.9': 40 };
  expect(cover(attackers, { innocents: crowded }).values).toEqual(['postfarm.com']);
  expect(cover(attackers, { innocents: { ...crowded, 'postfarm.com': 40 } })).toEqual({
    values: [],
    covered: 0,
  });
});

it('says how many are covered where places cannot cover enough', () => {
  const attackers = [
    ...many(60, () => from('203.0.113.9')),
    ...many(40, (at) => from(`${at + 11}.51.100.7`)),
  ];
  const found = cover(attackers);
  expect(found.values).toHaveLength(25);
  expect(found.covered).toBe(84);
  expect(cover(many(5, () => ({ ip: null, domain: 'gmail.com' })))).toEqual({ values: [], covered: 0 });
});

it('prefers places with fewer innocent people', () => {
  const attackers = many(50, () => from('203.0.113.9', 'postfarm.com'));
  expect(cover(attackers, { innocents: { '203.0.113.9': 3 } }).values).toEqual(['postfarm.com']);
  expect(cover(attackers, { innocents: { 'postfarm.com': 3 } }).values).toEqual(['203.0.113.9']);
});
