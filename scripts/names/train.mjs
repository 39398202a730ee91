/** Makes the table of the name model from the learned half of the names: costs of letter sequences by family, their norm among people, and known names and words. */
import { pathToFileURL } from 'node:url';
import { readCorpora } from './corpora.mjs';
import { hashOf, isLearned } from './learned-half.mjs';

const SYMBOLS = 27;
const COMBINED = 20_000;
/** Pairs of a first name and a surname for each name. */
const SHARE = 0.3;

/** The file of the table. `addressFolder`: the compiled room `address`. */
export async function trainNames(addressFolder) {
  const load = (file) => import(pathToFileURL(`${addressFolder}/${file}.js`).href);
  const { foldName } = await load('fold-name');
  const { buildKnownNames, KINDS } = await load('known-names');
  const { writeNameTable, MAX_NORM_LETTERS } = await load('name-table');
  const costing = await load('letter-costs');
  const corpora = readCorpora({ fold: foldName });
  const learned = learnedStrings(corpora, isLearned);
  return writeNameTable({
    families: learned.map(({ id }) => id),
    marks: learned.map(({ strings }) => countMarks(strings, costing.markOf)),
    known: buildKnownNames(kindsOf(corpora, KINDS)),
    ...normOf(corpora, costing, MAX_NORM_LETTERS),
  });
}

/** Names of each family in the forms that people put into addresses. */
export function learnedStrings({ families, users, words }, isWanted) {
  const people = families.map(({ id, first, last }) => ({
    id,
    strings: joined(first.filter(isWanted), last.filter(isWanted)),
  }));
  const nicknames = users.filter(isWanted).flatMap((user) => user.match(/[a-z]+/g) ?? []);
  const dictionary = words.all.filter(isWanted);
  const common = words.common.filter(isWanted);
  return [
    ...people,
    { id: 'users', strings: nicknames },
    { id: 'words', strings: [...dictionary, ...common, ...pairs(common, common, COMBINED / 2)] },
    { id: 'abbreviated', strings: abbreviated(people, dictionary) },
    { id: 'keyboard', strings: keyboardWalks() },
  ];
}

/** Names and words without their vowels, and initials of syllables and names. */
function abbreviated(people, dictionary) {
  const names = people.flatMap(({ strings }) => strings.filter((_, i) => i % 12 === 0));
  const short = [...names, ...dictionary].map(
    (name) => name.charAt(0) + name.slice(1).replace(/[aeiou]/g, ''),
  );
  const syllables = people.find(({ id }) => id === 'chinese').strings.map((name) => name.charAt(0));
  const initials = names.map((_, i) =>
    [1, 2, 3, 4, 5, 6]
      .slice(0, 2 + (i % 5))
      .map((n) => (i % 2 === 0 ? syllables : names)[hashOf(`i${i} ${n}`) % syllables.length].charAt(0))
      .join(''),
  );
  return [...short, ...initials].filter((name) => name.length >= 2);
}

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Keys side by side, along the rows and down the columns, as a hand finds them. */
function keyboardWalks() {
  const columns = [0, 1, 2, 3, 4, 5, 6].map((x) => KEYBOARD.map((row) => row[x]).join(''));
  const lines = [...KEYBOARD, ...columns, ...KEYBOARD.map((row) => [...row].reverse().join(''))];
  const walks = lines.flatMap((line) =>
    [...line].flatMap((_, from) => [3, 4, 5, 6, 8, 10].map((length) => line.slice(from, from + length))),
  );
  const runs = [...walks, ...pairs(columns, columns, 200), ...pairs(walks, walks, 1000)];
  return runs.filter((walk) => walk.length >= 3);
}

/** First names, surnames, both together, and with an initial. */
function joined(first, last) {
  if (last.length === 0) return first;
  const count = Math.round((first.length + last.length) * SHARE);
  const initials = (names) => names.map((name) => name.slice(0, 1));
  return [
    ...first,
    ...last,
    ...pairs(first, last, count),
    ...pairs(last, first, count / 4),
    ...pairs(initials(first), last, count / 3),
    ...pairs(first, initials(last), count / 6),
    ...pairs(last, initials(first), count / 12),
  ];
}

/** The same pairs at every build. */
export function pairs(left, right, count) {
  const made = [];
  for (let i = 0; i < count; i++)
    made.push(left[hashOf(`l${i}`) % left.length] + right[hashOf(`r${i}`) % right.length]);
  return made;
}

/** How often each letter follows two others. */
function countMarks(strings, markOf) {
  const counts = new Float64Array(SYMBOLS ** 3);
  for (const text of strings) {
    let context = 0;
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) - 96 : 0;
      counts[context * SYMBOLS + code]++;
      context = (context % SYMBOLS) * SYMBOLS + code;
    }
  }
  return Uint8Array.from(counts, markOf);
}

/** Norm of people's names: half of the learned names teaches a table, the other half is measured with it. */
function normOf(corpora, { markOf, createCostOf }, longest) {
  const isTeacher = (name) => isLearned(name) && (hashOf(name) & 2) === 0;
  const isMeasured = (name) => isLearned(name) && (hashOf(name) & 2) !== 0;
  const taught = learnedStrings(corpora, isTeacher).map(({ strings }) => countMarks(strings, markOf));
  const costOf = createCostOf(taught);
  const values = Array.from({ length: longest + 1 }, () => []);
  for (const { strings } of learnedStrings(corpora, isMeasured)) {
    const step = Math.max(1, Math.floor(strings.length / 8000));
    for (let i = 0; i < strings.length; i += step) {
      const { length } = strings[i];
      if (length < 3) continue;
      const codes = Uint8Array.from([...strings[i]], (letter) => letter.charCodeAt(0) - 96);
      const cost = costOf(codes, length, false);
      values[Math.min(length, longest)].push(cost / length);
    }
  }
  const norms = values.map((costs) => normOfValues(costs.length > 50 ? costs : values.flat()));
  return { means: norms.map(([mean]) => mean), deviations: norms.map(([, deviation]) => deviation) };
}

function normOfValues(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return [mean, Math.sqrt(square)].map((value) => Math.round(value * 1e4) / 1e4);
}

/** Names and words of generators; English words come on top. */
const MAX_KNOWN = 49_000;
/** Shorter American surnames are often words or pieces of them. */
const MIN_SURNAME = 5;

/** Names and words of both halves: what is known is no guess. American surnames fill what is left. */
export function kindsOf({ families, words }, { NAME, WORD, ADJECTIVE, THING }) {
  const kinds = new Map();
  const put = (word, kind) => {
    if (word.length >= 3 && word.length <= 15) kinds.set(word, (kinds.get(word) ?? 0) | kind);
  };
  for (const { id, first, last } of families)
    for (const name of id === 'english' ? first : [...first, ...last]) put(name, NAME);
  for (const word of words.common) put(word, WORD);
  const { last } = families.find(({ id }) => id === 'english');
  const isWord = new Set(words.all);
  for (const name of last)
    if (kinds.size < MAX_KNOWN && name.length >= MIN_SURNAME && !isWord.has(name)) put(name, NAME);
  for (const word of words.english) put(word, WORD);
  for (const word of words.adjectives) put(word, WORD | ADJECTIVE);
  for (const word of words.things) put(word, WORD | THING);
  const wordy = last.filter((name) => !kinds.has(name) && isOfTwo(name, (part) => kinds.has(part)));
  for (const name of wordy) put(name, NAME);
  return kinds;
}

/** Surnames such as `Greenstreet` would else be taken for two words. */
const isOfTwo = (name, isKnown) =>
  [...name].some((_, at) => at > 0 && isKnown(name.slice(0, at)) && isKnown(name.slice(at)));
