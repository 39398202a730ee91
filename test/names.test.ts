/** The name model on the half of all names that its table never saw, in every family of languages, and on what programs make up. */
import { allLocales } from '@faker-js/faker';
import * as generator from 'unique-username-generator';
import { describe, expect, it } from 'vitest';
import { readCorpora } from '../scripts/names/corpora.mjs';
import { isLearned } from '../scripts/names/learned-half.mjs';
import { foldName } from '../src/address/fold-name.ts';
import { GENERATED_ODDS, type NameShape, STRANGE_GROUP } from '../src/address/name-model.ts';
import { nameShapeOf } from '../src/address/name-shape.ts';

let state = 20_261_129;
/** Numbers from 0 to below 1, the same in every run (xorshift). */
function random(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}

/** Forms that are made of each family. */
const MADE = 8_000;
const GROUPS = 100_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

const below = (limit: number) => Math.floor(random() * limit);
const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
const draw = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join('');
const make = <Item>(count: number, one: () => Item) => Array.from({ length: count }, one);
const shapesOf = (locals: readonly string[]) => locals.map(nameShapeOf);
const share = <Item>(items: readonly Item[], test: (item: Item) => boolean) =>
  items.filter(test).length / items.length;

const corpora = readCorpora({ fold: foldName });
const unseen = (names: readonly string[]) => names.filter((name) => !isLearned(name));

/** Addresses that people make of their names: with a birth year, an age, an initial, a hyphen, two surnames, a year before a pupil's name. */
function localsOf(first: readonly string[], last: readonly string[]): string[] {
  const forms: ((f: string, l: string, m: string) => string)[] = [
    (f, l) => f + l,
    (f, l) => `${f}.${l}`,
    (f, l) => `${l}.${f}`,
    (f, l) => f.charAt(0) + l,
    (f, l) => `${f.charAt(0)}.${l}`,
    (f, l) => f + l.charAt(0),
    (f, l) => l + f,
    (f) => `${f}${1950 + below(60)}`,
    (f) => `${f}${below(100)}`,
    (f, l) => `${f}_${l}${below(1000)}`,
    (f, l) => `${f}${l}${1950 + below(60)}`,
    (f, l) => `${20 + below(10)}${l}${f.charAt(0)}`,
    (f, l, m) => `${f}.${l}-${m}`,
    (f, l, m) => `${f}${l}${m}`,
  ];
  return make(MADE, () => pick(forms)(pick(first), pick(last), pick(last)));
}

const people: Readonly<Record<string, readonly NameShape[]>> = {
  ...Object.fromEntries(
    corpora.families.map(({ id, first, last }) => [id, shapesOf(localsOf(unseen(first), unseen(last)))]),
  ),
  users: shapesOf(unseen(corpora.users)),
};
const ids = Object.keys(people);
const languages = ids.filter((id) => id !== 'users');
const of = (id: string) => people[id] as readonly NameShape[];

/** Sum of the odds of five names, each limited so that one alone decides little. */
const sumOfFive = (shapes: readonly NameShape[]) =>
  make(5, () => Math.max(-6, Math.min(8, pick(shapes).odds))).reduce((sum, odds) => sum + odds, 0);
const meanOfTen = (shapes: readonly NameShape[]) =>
  make(10, () => Math.max(-3, Math.min(4.5, pick(shapes).strangeness))).reduce((sum, one) => sum + one, 0) /
  10;

describe('one name', () => {
  it('has enough corpora: sixteen families of languages and user names', () => {
    expect(languages.length).toBeGreaterThanOrEqual(15);
    for (const { id, first, last } of corpora.families)
      expect(Math.min(unseen(first).length, unseen(last).length), id).toBeGreaterThan(10);
    expect(of('users').length).toBeGreaterThan(90_000);
  });

  it.each(ids)('of people (%s) looks generated once in a thousand', (id) => {
    // The user names have a few that programs made.
    expect(share(of(id), ({ odds }) => odds > GENERATED_ODDS)).toBeLessThanOrEqual(
      id === 'users' ? 0.001 : 0.0015,
    );
  });

  it('of no language looks generated three times as often as of the others', () => {
    const rates = languages.map((id) => share(of(id), ({ odds }) => odds > 3.5));
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    expect(mean).toBeLessThan(0.005);
    expect(Math.max(...rates)).toBeLessThan(0.01);
  });

  it.each([
    ['[a-z0-9]{8}', () => draw(LETTERS + DIGITS, 8), 0.54],
    ['[a-z0-9]{9}', () => draw(LETTERS + DIGITS, 9), 0.62],
    ['[a-z0-9]{10}', () => draw(LETTERS + DIGITS, 10), 0.7],
    ['[a-z0-9]{11}', () => draw(LETTERS + DIGITS, 11), 0.78],
    ['[a-z0-9]{12}', () => draw(LETTERS + DIGITS, 12), 0.86],
    ['[a-z]{8}', () => draw(LETTERS, 8), 0.12],
    ['[a-z]{8}[0-9]{4}', () => draw(LETTERS, 8) + draw(DIGITS, 4), 0.12],
    ['[0-9a-f]{12}', () => draw('0123456789abcdef', 12), 0.54],
  ])('drawn as %s is seen', (_, one, floor) => {
    expect(share(shapesOf(make(10_000, one)), ({ odds }) => odds > GENERATED_ODDS)).toBeGreaterThanOrEqual(
      floor,
    );
  });

  it.each([
    ['numbers at qq.com', () => draw(DIGITS, 5 + below(6))],
    ['phone numbers', () => `1${draw(DIGITS, 10)}`],
    ['initials and digits', () => draw(LETTERS, 2 + below(2)) + draw(DIGITS, 2 + below(5))],
    ['birthdays', () => `${1950 + below(60)}${10 + below(3)}${10 + below(18)}`],
    ['a letter and a number of a student', () => draw(LETTERS, 1) + draw(DIGITS, 7)],
  ])('says nothing where it is of %s', (_, one) => {
    expect(
      shapesOf(make(1_000, one)).filter(({ odds, strangeness }) => odds !== 0 || strangeness !== 0),
    ).toEqual([]);
  });
});

const plain = (words: readonly string[]) =>
  words.map((one) => one.toLowerCase()).filter((one) => /^[a-z]{3,9}$/.test(one));
const [adjectives, nouns] = [plain(generator.adjectives), plain(generator.nouns)];
const english = allLocales.en as {
  word: Record<'adjective' | 'noun', string[]>;
  animal: { type: string[] };
};
const [fakers, things, animals] = [english.word.adjective, english.word.noun, english.animal.type].map(
  plain,
) as [string[], string[], string[]];
const isPair = ({ known }: NameShape) => known === 'pair';
const isWords = ({ known }: NameShape) => known === 'words' || known === 'pair';

describe('two words', () => {
  it.each([
    ['side by side', () => pick(adjectives) + pick(nouns)],
    ['with a number', () => pick(adjectives) + pick(nouns) + draw(DIGITS, 2)],
    ['with a dot', () => `${pick(adjectives)}.${pick(nouns)}`],
  ])('of a list that the table has not seen are known %s', (_, one) => {
    const shapes = shapesOf(make(20_000, one));
    expect(share(shapes, isWords)).toBeGreaterThanOrEqual(0.85);
    expect(share(shapes, isPair)).toBeGreaterThanOrEqual(0.75);
  });

  it('of faker, from which generators take them, are known', () => {
    expect(share(shapesOf(make(20_000, () => pick(fakers) + pick(things))), isPair)).toBeGreaterThan(0.93);
  });

  it('are no pair where the second is an animal, as people like them', () => {
    const shapes = shapesOf(make(20_000, () => pick(fakers) + pick(animals)));
    expect(share(shapes, isPair)).toBeLessThan(0.01);
    expect(share(shapes, isWords)).toBeGreaterThan(0.5);
  });

  it.each(languages)('are no names of people (%s)', (id) => {
    expect(share(of(id), isWords)).toBeLessThanOrEqual(0.005);
  });

  it('are the choice of few npm users, and pairs that of fewer', () => {
    expect(share(of('users'), isWords)).toBeLessThanOrEqual(0.05);
    expect(share(of('users'), isPair)).toBeLessThanOrEqual(0.02);
  });
});

describe('names that share something', () => {
  const LINE = 10;

  it.each(ids)('five people (%s) look generated less than once in 100,000 times', (id) => {
    expect(make(GROUPS, () => sumOfFive(of(id))).filter((sum) => sum > LINE).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['[a-z0-9]{8}', () => draw(LETTERS + DIGITS, 8), 0.99],
    ['[a-z0-9]{10}', () => draw(LETTERS + DIGITS, 10), 0.999],
    ['[a-z]{8}', () => draw(LETTERS, 8), 0.9],
  ])('five drawn as %s are seen', (_, one, floor) => {
    const shapes = shapesOf(make(10_000, one));
    expect(
      share(
        make(10_000, () => sumOfFive(shapes)),
        (sum) => sum > LINE,
      ),
    ).toBeGreaterThanOrEqual(floor);
  });

  it.each(languages)('ten people (%s) are not as strange as ten that a program made pronounceable', (id) => {
    expect(
      share(
        make(20_000, () => meanOfTen(of(id))),
        (mean) => mean > STRANGE_GROUP,
      ),
    ).toBeLessThan(0.004);
  });

  const consonant = () => pick([...'bcdfghjklmnprstvwz']);
  const vowel = () => pick([...'aeiou']);
  it.each([
    [
      'zorvanek',
      () =>
        consonant() +
        vowel() +
        pick([...'rlnmst']) +
        consonant() +
        vowel() +
        pick([...'nmrlst']) +
        vowel() +
        pick([...'knrlsx']),
    ],
    [
      'milotru',
      () =>
        consonant() + vowel() + pick([...'lrmn']) + vowel() + pick(['tr', 'br', 'kl', 'dr', 'pl']) + vowel(),
    ],
    [
      'syllables',
      () =>
        make(2 + below(3), () => consonant() + vowel() + (below(4) === 0 ? pick([...'nrlskmt']) : '')).join(
          '',
        ),
    ],
  ])('ten such as %s are strange together', (_, one) => {
    const shapes = shapesOf(make(5_000, one));
    expect(
      share(
        make(20_000, () => meanOfTen(shapes)),
        (mean) => mean > STRANGE_GROUP,
      ),
    ).toBeGreaterThan(0.9);
  });
});
