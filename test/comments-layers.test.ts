/**
 * A comment on a declaration begins with its noun, or the verb of a function: "Max. bytes of a body", not "Of a body: how many
 * bytes". Every sentence of a comment names what it is about: "Signups that were stopped", not "Those that were stopped". The
 * last rule is for all files of the repository, in every language, with the sentence that a file opens with.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/**
 * Words before which a reader misses the noun: pronouns, conjunctions, prepositions and adverbs. A file may open with one, because
 * its first sentence says what the file decides. Articles, numbers and `Whether`, the word for a yes or no, are no such words.
 */
const FIRST_WORDS = [
  'Of|What|Who|Whose|Where|As|Likewise|So (?:many|few|often)|When|And|Because|But|If|Once|Or|Unless|While',
  'About|Above|After|Among|At|Before|Behind|Below|Beside|Between|By|During|For|From|In|On|Over|Since|Through|To',
  'Under|Until|Upon|Via|With|Within|Without|All (?:of them|but|else|others)|Instead|Not|Now|Then|Longer|Shorter|Less|Often',
  '(?:Only|Also) (?:at|for|if|in|of|when|where|with)|They|None|Neither',
].join('|');
/** Words that stand for a noun, or for a whole clause, at the start of any sentence of a comment. */
const PRONOUNS = [
  'Those|Of|That(?= (?:of|the|it|they|an?) )|(?:One|Some|None|Most|Many|Few|All) of (?:them|these|those)',
  'What|Who|Whom|Whose|Which|Whatever|Whoever|Whichever',
].join('|');
const WITHOUT_NOUN = new RegExp(`/\\*\\*[\\s*]+(?:${FIRST_WORDS})(?=[\\s,.:])[^\\n]*`, 'g');
const COMMENTS = /\/\*\*[\s\S]*?\*\/|(?<=^|\n)(?:[ \t]*\/\/[^\n]*(?:\n|$))+/g;
const SENTENCE = new RegExp(`^(?:${PRONOUNS})(?=[\\s,.:])`);
/** Words that no sentence of any comment begins with. "These two" has a noun, "These are" has none. */
const ANYWHERE =
  /^(?:Those|These(?= (?:are|have|of|that|with|without) )|What|Who|Whom|Whose|Which|Whatever|Whoever|Whichever)(?=[\s,.:'])/;
const CODE_FILE = /\.(?:[cm]?[jt]sx?|astro|cs|css|go|html|java|php|py|rb|sh|svelte|vue|ya?ml)$/;
const HASH_FILE = /\.(?:py|rb|sh|ya?ml)$/;
const SLASH_COMMENTS =
  /\/\*[\s\S]*?\*\/|(?:(?<=^|\n)[ \t]*|(?<=\s))\/\/ [^\n]*(?:\n[ \t]*\/\/[^\n]*)*|<!--[\s\S]*?-->/g;
const HASH_COMMENTS = /(?:(?<=^|\n)[ \t]*|(?<=\s))#(?!!) ?[^\n]*(?:\n[ \t]*#[^\n]*)*/g;
const THIS_FILE = 'test/comments-layers.test.ts';

it('begins no comment without its noun', () => {
  expect(foundIn(commentsWithoutNoun)).toEqual([]);
});

it('begins no sentence of a comment with a word that stands for a noun', () => {
  expect(foundIn(sentencesWithoutNoun)).toEqual([]);
});

it('begins no sentence of a comment with What, Who, Which or Those, in any file of the repository', () => {
  const listed = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const files = listed.filter(
    (file) => CODE_FILE.test(file) && file !== THIS_FILE && existsSync(join(ROOT, file)),
  );
  expect(files.length).toBeGreaterThan(2000);
  const found = files.flatMap((file) =>
    questionsIn(readFileSync(join(ROOT, file), 'utf8'), HASH_FILE.test(file)).map(
      (sentence) => `${file}: ${sentence}`,
    ),
  );
  expect(found).toEqual([]);
});

it('finds such a sentence in every language, also where a file opens with it', () => {
  const text = `/** What differs from the defaults. Who may be in front of it: a proxy. */
const proxies = []; // Those of others.
/* Whoever may choose it. */
// These rows stay.
// Which comes first.
<!-- What it shows. -->
// A reader asks: What is it?
`;
  expect(questionsIn(text, false)).toEqual([
    'What differs from the defaults.',
    'Who may be in front of it: a proxy.',
    'Those of others.',
    'Whoever may choose it.',
    'Which comes first.',
    'What it shows.',
  ]);
  const hash =
    '#!/bin/sh\n# What is run. It ends.\nrun # Who waits.\n  # These are\n  # no rows.\nurl: a#What\n';
  expect(questionsIn(hash, true)).toEqual(['What is run.', 'Who waits.', 'These are no rows.']);
});

it('finds a sentence without its noun in each kind of comment, but lets a file open as it likes', () => {
  const text = `/** What the file decides. Those are named below. */
/** Signups of a day. Of several, the newest counts. Those with a report are left out. */
const signups = [];
// What is shown stays. The rest goes.
// One of them wins.
/** That day, and these two, have a noun. That they come is none. */
const rest = [];
  // Thosehere is no such word. Which is one.
`;
  expect(sentencesWithoutNoun(text)).toEqual([
    'Those are named below.',
    'Of several, the newest counts.',
    'Those with a report are left out.',
    'What is shown stays.',
    'One of them wins.',
    'That they come is none.',
    'Which is one.',
  ]);
});

/** Comments that are found in each file, with the file. */
function foundIn(find: (text: string) => readonly string[]): string[] {
  const files = ['src', 'dashboard/src', 'client/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|suite)\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(800);
  return files.flatMap((file) =>
    find(readFileSync(join(ROOT, file), 'utf8')).map((comment) => `${file}: ${comment}`),
  );
}

it('finds one in a line, one of several lines and one of a member, but lets a file open as it likes', () => {
  const text = `/** What the file decides. */
/** In-process only: words with a hyphen, and such as Format, Whether and Allowed, begin like others. */
/** Whether a body is read, at once or later. */
/** Of a body. */
const MAX_BYTES = 1;
/**
 * So many at once.
 * @returns nothing
 */
interface Options {
  /** Who asks. */
  readonly caller: string;
  /** By the name, in lower case. */
  readonly names: readonly string[];
  /** Until then, milliseconds since the epoch. */
  readonly until: number;
  /** All but the last. */
  readonly rest: readonly string[];
  /** Only where it is read. */
  readonly read: boolean;
  /** Only owners read it. */
  readonly owned: boolean;
  /** All names. */
  readonly all: readonly string[];
  /** Official name. */
  readonly name: string;
}`;
  expect(commentsWithoutNoun(text)).toEqual([
    '/** Of a body. */',
    '/**\n * So many at once.',
    '/** Who asks. */',
    '/** By the name, in lower case. */',
    '/** Until then, milliseconds since the epoch. */',
    '/** All but the last. */',
    '/** Only where it is read. */',
  ]);
});

/** Comments of the text that begin without their noun, each up to the end of its first line. */
function commentsWithoutNoun(text: string): string[] {
  return [...text.matchAll(WITHOUT_NOUN)]
    .filter(({ index }) => text.slice(0, index).replace(/^#!.*\n/, '') !== '')
    .map(([comment]) => comment);
}

/** @param isHash whether comments of the language begin with `#` */
function questionsIn(text: string, isHash: boolean): string[] {
  return [...text.matchAll(isHash ? HASH_COMMENTS : SLASH_COMMENTS)].flatMap(([comment]) =>
    sentencesOf(comment.replace(/^<!--|-->$/g, '')).filter((sentence) => ANYWHERE.test(sentence)),
  );
}

function sentencesOf(comment: string): string[] {
  return comment
    .trim()
    .replace(/^\/\*+|\*\/$/g, '')
    .replace(/(?:^|\n)[ \t]*(?:\/\/|\*|#)[ \t]?/g, ' ')
    .trim()
    .split(/(?<=[.?!])\s+(?=[A-Z@`])|\s(?=@)/);
}

/** Sentences of all comments that begin with a pronoun, but for the first sentence of the file. */
function sentencesWithoutNoun(text: string): string[] {
  const start = text.replace(/^#!.*\n/, '');
  return [...start.matchAll(COMMENTS)].flatMap(({ 0: comment, index }) =>
    sentencesOf(comment)
      .slice(index === 0 ? 1 : 0)
      .filter((sentence) => SENTENCE.test(sentence)),
  );
}
