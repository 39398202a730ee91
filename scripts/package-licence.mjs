/** Finds the licence of an installed package and its full text; refuses unknown licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Checked licences: this project may redistribute packages with them. */
const KNOWN = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
]);
const TEXT_FILE = /^(?:(?:un)?licen[cs]e|copying|notice|copyright(?:notice)?)(?:[.-].*)?$|[_-]licen[cs]e$/i;
const LICENCE_HEADING = /^#+\s*licen[cs]e\s*$/im;
/** A shorter text is only a name or a link. */
const MIN_TEXT_LENGTH = 200;
/** Packages that name their licence but contain no licence text. Each was checked by hand. */
const STANDARD_TEXTS = {
  'abstract-logging': { licence: 'MIT', holder: 'James Sumners' },
  'categorized-words': { licence: 'MIT', holder: 'Felix Fischer' },
  owners: { licence: 'MIT', holder: 'Zeke Sikelianos' },
  'react-remove-scroll-bar': { licence: 'MIT', holder: 'Anton Korzunov' },
  wouter: { licence: 'Unlicense' },
};
/** Below this heading, a package lists what its own build bundled; the shipped files do not contain that. */
const NOT_SHIPPED = /^# Licenses of bundled dependencies$/m;
const STANDARD_FOLDER = new URL('./licences/', import.meta.url);

/**
 * `licence`: if the data of a package has another licence than the package names.
 * @throws with the package's name, if its licence is unknown or has no text
 */
export function licenceOf(folder, { licence: ofData } = {}) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = ofData ?? license;
  if (ofData === undefined && !KNOWN.has(licence))
    throw new Error(`${name}: nobody has read its licence (${licence}); see scripts/package-licence.mjs`);
  const texts = textsIn(folder);
  if (texts.length === 0) texts.push(...textInReadme(folder), ...standardText(name, licence));
  if (texts.length === 0)
    throw new Error(`${name}: its package has no licence text; see scripts/package-licence.mjs`);
  return { name, version, licence, text: texts.join('\n\n') };
}

function textsIn(folder) {
  return readdirSync(folder)
    .filter((file) => TEXT_FILE.test(file))
    .sort()
    .map((file) => readText(join(folder, file)).split(NOT_SHIPPED, 1)[0].trim())
    .filter((text) => text !== '');
}

function textInReadme(folder) {
  const file = readdirSync(folder).find((name) => /^readme\.md$/i.test(name));
  if (file === undefined) return [];
  const [, ...after] = readText(join(folder, file)).split(LICENCE_HEADING);
  const [section = ''] = (after[0] ?? '').split(/^#+\s/m);
  return section.length < MIN_TEXT_LENGTH ? [] : [section.trim()];
}

function standardText(name, licence) {
  const standard = STANDARD_TEXTS[name];
  const file = new URL(`${licence}.txt`, STANDARD_FOLDER);
  if (standard === undefined || standard.licence !== licence || !existsSync(file)) return [];
  const holder = standard.holder === undefined ? [] : [`Copyright (c) ${standard.holder}`];
  return [
    ['(Its package names the licence; this is the standard text.)', ...holder, readText(file)].join('\n\n'),
  ];
}

function readText(file) {
  return readFileSync(file, 'utf8')
    .replaceAll('\r\n', '\n')
    .replace(/^\uFEFF/, '')
    .trim();
}
