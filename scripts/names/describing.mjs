/** Tells which words a generator of names puts first and second. */
import { createRequire } from 'node:module';
import { allLocales } from '@faker-js/faker';
import { adjectives, animals, colors } from 'unique-names-generator';

const require = createRequire(import.meta.url);
const PARTICIPLE = /(?:ed|ing)$/;

/**
 * Adjectives, and nouns that are no creature: people call themselves by these, programs by whatever a dictionary has.
 * @param {readonly string[]} known words in small letters
 */
export function describing(known) {
  const { word, color, animal, team } = allLocales.en;
  const lower = (list) => list.map((each) => each.toLowerCase()).filter((each) => /^[a-z]{3,12}$/.test(each));
  const { isAdjective, isNoun } = readDictionary();
  const creatures = team.creature.flatMap((each) => [each, each.replace(/s$/, '')]);
  const isCreature = new Set(lower([...animals, ...animal.type, ...animal.pet_name, ...creatures]));
  return {
    adjectives: unique([
      ...lower([...adjectives, ...colors, ...word.adjective, ...color.human]),
      ...known.filter(isAdjective),
    ]),
    things: unique([...lower(word.noun), ...known.filter(isNoun)]).filter((each) => !isCreature.has(each)),
  };
}

/** Parts of speech of 12Dicts: with inflected forms; adverbs are among the adjectives. */
function readDictionary() {
  const { A, N, V } = require('categorized-words');
  const [describes, nouns] = [new Set(A), new Set(N)];
  const participles = new Set(V.filter((verb) => PARTICIPLE.test(verb)));
  const isNoun = (word) => nouns.has(word);
  // A noun may stand before another: `calm` has `calmer` and `calmly`, `night` has neither.
  const isDescribing = (word) => describes.has(word) && (!isNoun(word) || hasForms(word, describes));
  return { isAdjective: (word) => participles.has(word) || isDescribing(word), isNoun };
}

/** Whether a word can be compared or has an adverb. */
function hasForms(word, isForm) {
  const stem = word.replace(/e$/, '').replace(/y$/, 'i');
  return [`${stem}er`, `${stem}ly`, `${word}ly`, `${word}ally`].some((form) => isForm.has(form));
}

const unique = (values) => [...new Set(values)];
