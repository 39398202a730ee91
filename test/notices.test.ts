/** Everything we ship from others is named with its licence and text: production packages, parts of the pages, and all data. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { licenceOf } from '../scripts/package-licence.mjs';
import { productionPackages } from '../scripts/production-packages.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const json = <T>(path: string) => JSON.parse(read(path)) as T;

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly os?: readonly string[];
}
type Packages = Record<string, Locked>;

const notices = read('dist/THIRD-PARTY.txt');
const sections = notices
  .split(/^[-=]{80}$/m)
  .map((text) => text.trim())
  .filter((text) => /^Licence: /m.test(text));
const titles = new Set(sections.map((text) => text.split('\n', 1)[0] as string));
const { packages } = json<{ packages: Packages }>('package-lock.json');

describe('the third-party notices', () => {
  it('name every package that the service depends on, directly or indirectly', () => {
    const production = productionPackages({ packages });
    const names = new Set(production.map(({ path }) => path.replace(/.*node_modules\//, '')));
    const { dependencies } = json<{ dependencies: Record<string, string> }>('package.json');
    const wanted = new Set(Object.keys(dependencies));
    for (const { path } of production) {
      const { dependencies: own, optionalDependencies } = packages[path] as Locked;
      for (const name of Object.keys({ ...own, ...optionalDependencies })) wanted.add(name);
    }
    expect([...wanted].filter((name) => !names.has(name))).toEqual([]);
    const unnamed = production.filter(({ path, binaryOf }) => {
      const name = path.replace(/.*node_modules\//, '');
      if (binaryOf !== undefined) return !notices.includes(name);
      return !titles.has(`${name} ${packages[path]?.version}`);
    });
    expect(unnamed).toEqual([]);
    expect(names.has('typescript')).toBe(false);
  });

  it('name what the pages contain, with their fonts', () => {
    const inPages = notices.slice(notices.indexOf('The pages of the dashboard contain'));
    for (const name of ['react', 'react-dom', '@mantine/core', 'wouter', 'vite'])
      expect(inPages, name).toContain(`\n${name} ${packages[`node_modules/${name}`]?.version}\n`);
    expect(inPages).toMatch(/\nTabler Icons \d.*\nLicence: MIT\n\nMIT License\n\nCopyright/);
    expect(inPages).toMatch(/\n@fontsource-variable\/inter .*\nLicence: OFL-1\.1\n/);
  });

  it('name every data source and every credit in docs/data-sources.md', () => {
    const document = read('docs/data-sources.md');
    const [bundled = '', rest = ''] = document.split('\n## Feeds\n');
    const rows = [...bundled.matchAll(/^\| `([\w-]+)` +\|[^|]+\| (?:npm )?`([^`]+)`/gm)];
    expect(rows.length).toBeGreaterThan(15);
    for (const [, id, from = ''] of rows) {
      const isOwn = from.startsWith('src/');
      expect(isOwn ? notices.includes(from) : notices.includes(`Source: ${id}`), id).toBe(true);
      if (!isOwn) expect(titles).toContain(`${from} ${packages[`node_modules/${from}`]?.version}`);
    }
    for (const [, id] of rest.matchAll(/^\| `([\w-]+)` \| \w+ \| </gm))
      expect(notices).toContain(`\n${id}: http`);
    const credits = rest.split('\n## Credits\n')[1] ?? '';
    const links = [...credits.matchAll(/\((https:[^)]+)\)/g)].map(([, link]) => link as string);
    expect(links.length).toBeGreaterThan(5);
    expect(
      links.filter((link) => !notices.includes(link) && !/spamhaus|majestic|by\/3\.0/.test(link)),
    ).toEqual([]);
  });

  it('have the full text of each licence', () => {
    expect(sections.length).toBeGreaterThan(100);
    // The publisher of the country ranges asks for its credit in three lines.
    expect(sections.filter((text) => text.length < 400)).toEqual([]);
    expect(sections.filter((text) => !/copyright|licensed under|public domain/i.test(text))).toEqual([]);
  });
});

describe('a package', () => {
  function packageOf(manifest: object, files: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-licence-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
      writeFileSync(join(folder, name), text);
    return folder;
  }
  const long = 'Permission is hereby granted. '.repeat(10).trim();

  it('has its text in a file, with the notices beside it, or in its README', () => {
    const manifest = { name: 'one', version: '1.0.0', license: 'MIT' };
    expect(licenceOf(packageOf(manifest, { 'license.md': 'The text.', NOTICE: 'A notice.' })).text).toBe(
      'A notice.\n\nThe text.',
    );
    const readme = `# one\n\n## License\n\n${long}\n\n## Thanks\n\nto all`;
    expect(licenceOf(packageOf(manifest, { 'README.md': readme })).text).toBe(long);
  });

  it('is refused without a text, with only a link, or with a licence that was not reviewed', () => {
    const manifest = { name: 'one', version: '1.0.0', license: 'MIT' };
    expect(() => licenceOf(packageOf(manifest))).toThrow('one: its package has no licence text');
    expect(() => licenceOf(packageOf(manifest, { 'README.md': '## License\n\nMIT' }))).toThrow(
      'no licence text',
    );
    for (const license of ['GPL-3.0', 'MIT OR GPL-2.0', undefined])
      expect(() => licenceOf(packageOf({ ...manifest, license }, { LICENSE: long }))).toThrow(
        'one: nobody has read its licence',
      );
  });
});

it('production packages are found as Node.js finds them, without optional peers', () => {
  const lock = {
    packages: {
      '': { dependencies: { a: '1' }, devDependencies: { z: '1' } },
      'node_modules/a': { dependencies: { b: '2' }, optionalDependencies: { 'a-linux': '1' } },
      'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
      'node_modules/a-linux': { os: ['linux'] },
      'node_modules/b': {},
      'node_modules/c': {
        peerDependencies: { p: '1', q: '1' },
        peerDependenciesMeta: { q: { optional: true } },
      },
      'node_modules/p': {},
      'node_modules/q': {},
      'node_modules/z': {},
    },
  };
  expect(productionPackages(lock)).toEqual([
    { path: 'node_modules/a', binaryOf: undefined },
    { path: 'node_modules/a-linux', binaryOf: 'node_modules/a' },
    { path: 'node_modules/a/node_modules/b', binaryOf: undefined },
    { path: 'node_modules/c', binaryOf: undefined },
    { path: 'node_modules/p', binaryOf: undefined },
  ]);
});
