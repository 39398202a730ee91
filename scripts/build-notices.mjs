/**
 * Writes dist/THIRD-PARTY.txt: author, licence and full licence text of all third-party work that we ship, read from the installed packages. Fails if a licence is unknown or has no text.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledPackages } from './build-dashboard.mjs';
import { filesBelow, missingPackages } from './build-inputs.mjs';
import { WIDGET_PACKAGE } from './build-widget.mjs';
import { NAME_PACKAGES } from './names/packages.mjs';
import { licenceOf } from './package-licence.mjs';
import { productionPackages } from './production-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist', 'THIRD-PARTY.txt');
const LOCK = join(ROOT, 'package-lock.json');
const RULE = '-'.repeat(80);
const CC_BY = 'CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

/** Attributions that licences require besides their text. */
const ATTRIBUTIONS = {
  '@ip-location-db/asn': [
    `AS data by RouteViews (https://www.routeviews.org/routeviews/), ${CC_BY}.`,
    `IP Geolocation by DB-IP (https://db-ip.com/), ${CC_BY}. A web page that displays or uses results from it must carry this link.`,
    `Registry data by the Number Resource Organization (https://www.nro.net/), ${CC_BY}.`,
    'Merged from these, with changes, by ip-location-db (https://github.com/sapics/ip-location-db).',
    'Changed again: split into disjoint ranges, without special-purpose ones.',
  ],
  '@ip-location-db/geo-whois-asn-country': [
    `Registry data by the Number Resource Organization (https://www.nro.net/), ${CC_BY}.`,
    'Merged, with changes, by ip-location-db (https://github.com/sapics/ip-location-db).',
    'Changed again: split into disjoint ranges, without special-purpose ones.',
  ],
  tldts: [
    'Contains the Public Suffix List (https://publicsuffix.org/), under the Mozilla Public License 2.0',
    '(https://mozilla.org/MPL/2.0/). Its source form: https://publicsuffix.org/list/public_suffix_list.dat',
  ],
};

/** Third-party work in this repository, with its licence text in the same folder. */
const IN_THE_PAGES = [
  { name: 'Tabler Icons', version: '3.51.0', licence: 'MIT', file: 'dashboard/src/ui/icons.licence.txt' },
];

/** Third-party work in the widget of the challenge page, besides the package itself. */
const IN_THE_WIDGET = [{ name: 'Svelte', version: '5', licence: 'MIT', file: 'scripts/licences/svelte.txt' }];

/** @param {(text: string) => void} say */
export async function buildNotices(say) {
  const { BASELINE_SOURCES } = await import(pathToFileURL(join(ROOT, 'dist/intel/sources.js')).href);
  const { FEEDS } = await import(pathToFileURL(join(ROOT, 'dist/intel/feeds.js')).href);
  const bundled = bundledPackages();
  const names = new Set(BASELINE_SOURCES.flatMap((source) => source.package ?? []));
  const data = [...names].map((name) => [name, BASELINE_SOURCES.filter((source) => source.package === name)]);
  const needed = [...names, ...NAME_PACKAGES, WIDGET_PACKAGE, ...(bundled ?? [])];
  // In production the notices were copied with the build.
  if (bundled === undefined || !existsSync(LOCK) || missingPackages(ROOT, needed).length > 0) {
    if (!existsSync(OUT))
      throw new Error('dist/THIRD-PARTY.txt has not been built: run `npm ci --include=dev`');
    return;
  }
  const text = [
    ...introduction(),
    ...part('The service runs on', productionSections(JSON.parse(readFileSync(LOCK, 'utf8')))),
    ...part('The pages of the dashboard contain', [
      ...bundled.map((name) => section(packageFolder(name))),
      ...IN_THE_PAGES.map(fileSection),
    ]),
    ...part('The page of a challenge contains', [
      section(packageFolder(WIDGET_PACKAGE)),
      ...IN_THE_WIDGET.map(fileSection),
    ]),
    ...part('The bundled data was compiled from', [...data.map(dataSection), ownLists()]),
    ...part('The table of names was made from', [...NAME_PACKAGES.map(nameSection), ownNames()]),
    ...part('Feeds that a running service fetches from their publishers', [feedLines(FEEDS)]),
  ].join('\n');
  if (existsSync(OUT) && readFileSync(OUT, 'utf8') === text) return;
  writeFileSync(OUT, text);
  say('wrote the third-party notices');
}

function introduction() {
  return [
    'Third-party notices of Gatehouse',
    '',
    'Gatehouse itself is under the Apache License 2.0, in the file LICENSE. It comes with the work of others below. The',
    'container image also holds Node.js and Debian packages: /usr/local/LICENSE and /usr/share/doc/*/copyright there.',
  ];
}

function part(title, sections) {
  return ['', '='.repeat(80), title, '='.repeat(80), '', sections.join(`\n\n${RULE}\n`), ''];
}

function productionSections(lock) {
  const all = productionPackages(lock);
  return all
    .filter(({ binaryOf }) => binaryOf === undefined)
    .map(({ path }) => {
      const binaries = all
        .filter(({ binaryOf }) => binaryOf === path)
        .map((binary) => lock.packages[binary.path]);
      const licences = new Set(binaries.map(({ license }) => license));
      const found = licenceOf(join(ROOT, path));
      if (licences.size > 0 && ![...licences].every((licence) => licence === found.licence))
        throw new Error(`${found.name}: its binaries have another licence (${[...licences].join(', ')})`);
      const names = all.filter(({ binaryOf }) => binaryOf === path).map((binary) => nameOf(binary.path));
      const about = names.length === 0 ? [] : [`and its binaries for one platform each: ${names.join(', ')}`];
      return render(found, [...about, ...(ATTRIBUTIONS[found.name] ?? [])]);
    });
}

function section(folder) {
  return render(licenceOf(folder), []);
}

function fileSection({ name, version, licence, file }) {
  const text = readFileSync(join(ROOT, file), 'utf8').trim();
  return render({ name, version, licence, text }, []);
}

function dataSection([name, sources]) {
  const [{ licence }] = sources;
  const ids = sources.map(({ id }) => id).join(', ');
  const changes =
    'Entries are normalised, checked and weighed against those of other sources; not all are taken over.';
  const found = licenceOf(packageFolder(name), { licence });
  return render(found, [`Source: ${ids}. ${changes}`, ...(ATTRIBUTIONS[name] ?? [])]);
}

function nameSection(name) {
  const about =
    'Source of the table of names: how often letters follow each other in its names and words, and which of them are known.';
  return render(licenceOf(packageFolder(name)), [about]);
}

function ownNames() {
  const files = filesBelow(join(ROOT, 'scripts/names/lists'), (name) => name.endsWith('.txt'));
  const paths = files.map((file) => relative(ROOT, file));
  return `Lists of names of Gatehouse's own, under the Apache License 2.0 as Gatehouse is:\n\n${paths.join('\n')}`;
}

function render({ name, version, licence, text }, about) {
  return [`${name} ${version}`, `Licence: ${licence}`, ...about, '', text].join('\n');
}

function ownLists() {
  const files = filesBelow(join(ROOT, 'src'), (name) => name.endsWith('.txt')).map((file) =>
    relative(ROOT, file),
  );
  return `Lists of Gatehouse's own, under the Apache License 2.0 as Gatehouse is:\n\n${files.join('\n')}`;
}

function feedLines(feeds) {
  const lines = feeds.map(({ id, url, licence, terms }) =>
    [`${id}: ${url}`, `  ${licence}${terms === undefined ? '' : `. ${terms}`}`].join('\n'),
  );
  return `None of them is shipped. Keep what their terms ask for with the data and with results made from it.\n\n${lines.join('\n')}`;
}

const packageFolder = (name) => join(ROOT, 'node_modules', name);
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
