// First names, family names and words of many languages, in the letters of an address. They are lists of names, not of people.
// Of the names, only the half that the name model does not learn the letters of; it still knows most of them as whole names.
import { readFileSync } from 'node:fs';
import { allLocales } from '@faker-js/faker';
import { isLearned } from '../../scripts/names/learned-half.mjs';

const ROMANISED = JSON.parse(readFileSync(new URL('romanised-names.json', import.meta.url), 'utf8'));
/** Languages whose letters are Latin or Cyrillic, by the locale whose lists are used. */
const LOCALES = {
  en: ['en'],
  de: ['de'],
  fr: ['fr'],
  es: ['es', 'es_MX'],
  pt: ['pt_PT', 'pt_BR'],
  it: ['it'],
  nl: ['nl'],
  sv: ['sv', 'nb_NO', 'da'],
  fi: ['fi'],
  pl: ['pl'],
  cs: ['cs_CZ', 'sk'],
  hr: ['hr'],
  hu: ['hu'],
  ro: ['ro'],
  tr: ['tr'],
  ru: ['ru'],
  uk: ['uk'],
  in: ['en_IN'],
  vi: ['vi'],
  id: ['id_ID'],
  ng: ['en_NG'],
};
const LETTERS = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };
/** As people write themselves, not as a passport does. */
// biome-ignore format: a table
const CYRILLIC = {
  а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', ё: 'e', є: 'ye', ж: 'zh', з: 'z', и: 'i', і: 'i', ї: 'yi',
  й: 'y', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts',
  ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
};
const UMLAUTS = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** Language → `{ first, last }`, lower-case ASCII letters and hyphens. */
export const NAMES = new Map();
for (const [language, locales] of Object.entries(LOCALES))
  NAMES.set(language, unlearned(ofLocales(language, locales)));
for (const language of ['ar', 'ja', 'ph']) NAMES.set(language, unlearned(ROMANISED[language]));
for (const language of ['zh', 'ko']) NAMES.set(language, unlearned(ofSyllables(ROMANISED[language])));
export const LANGUAGES = [...NAMES.keys()];

const words = (list) =>
  [...new Set(list.map((word) => word.toLowerCase()))].filter((word) => /^[a-z]{3,9}$/.test(word));
const { word, animal, color, team } = allLocales.en;
export const ADJECTIVES = words([...word.adjective, ...color.human]);
export const NOUNS = words(word.noun);
/** Words that people like to call themselves. */
export const CREATURES = words([
  ...animal.type,
  ...animal.pet_name,
  ...team.creature.map((name) => name.replace(/s$/, '')),
]);

/** Lower-case ASCII, with hyphens and spaces as they are. */
export function romanise(name, language) {
  const umlauts = language === 'de' ? UMLAUTS : {};
  return [...name.toLowerCase()]
    .map((letter) => umlauts[letter] ?? CYRILLIC[letter] ?? LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/[^a-z -]/g, '');
}

function ofLocales(language, locales) {
  const all = (kind) => locales.flatMap((locale) => Object.values(allLocales[locale].person[kind]).flat());
  const clean = (list) => [
    ...new Set(
      list.map((name) => romanise(name, language)).filter((name) => /^[a-z]{2,}(?:[ -][a-z]+)*$/.test(name)),
    ),
  ];
  return { first: clean(all('first_name')), last: clean(all('last_name')) };
}

function unlearned({ first, last }) {
  const keep = (names) => names.filter((name) => !isLearned(name.replace(/[ -]/g, '')));
  return { first: keep(first), last: keep(last) };
}

/** Given names of two syllables, and some of one. */
function ofSyllables({ last, syllables }) {
  return { last, first: [...syllables.flatMap((one) => syllables.map((two) => one + two)), ...syllables] };
}
