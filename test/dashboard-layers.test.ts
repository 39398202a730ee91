/** Checks the structure of the dashboard: who may import whom, no default exports, sizes, an opening sentence. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import PAGES from '../dashboard/src/pages.json' with { type: 'json' };

const REPOSITORY = resolve(import.meta.dirname, '..');
const SOURCE = join(REPOSITORY, 'dashboard/src');

/** Room → rooms it may import from. Each file directly under src is its own room. */
const MAY_KNOW: Record<string, readonly string[]> = {
  main: ['frame', 'ui', 'api'],
  // It loads pages by their names alone.
  frame: ['pages-table', 'scope', 'api', 'ui'],
  pages: ['pages-table', 'scope', 'api', 'ui'],
  scope: ['pages-table', 'api'],
  'pages-table': [],
  api: ['api-problem', 'fetch-on-focus', 'use-base-version'],
  'api-problem': [],
  ui: [],
  'fetch-on-focus': [],
  'use-base-version': [],
};

/** Files in `pages/` begin with the name of their page. These serve several pages. */
const SHARED_BY_PAGES = ['batch', 'key', 'listing', 'oidc', 'operator', 'request', 'takeback'];
/** The page of one assessment also opens beside the table of all assessments. */
const PAGE_IN_PAGE = ['assessments → assessment', 'feedback → assessment', 'support → assessment'];

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .sort();
const texts = new Map(sources.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]));
const imports = sources.flatMap((from) =>
  [...textOf(from).matchAll(/(import type [^;]*?from|from|import|import\()\s*'(\.[^']+)'/g)].map(
    ([, how = '', path = '']) => ({
      from,
      to: relative(SOURCE, resolve(SOURCE, dirname(from), path)),
      typeOnly: how.startsWith('import type'),
    }),
  ),
);

describe('the dashboard', () => {
  it('has rooms, and their imports are found', () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(200);
    expect(new Set(sources.map(roomOf))).toEqual(new Set(Object.keys(MAY_KNOW)));
  });

  it('lets each room import only the rooms it may', () => {
    const forbidden = imports.filter(({ from, to }) => {
      if (to.startsWith('..')) return false;
      return roomOf(from) !== roomOf(to) && !MAY_KNOW[roomOf(from)]?.includes(roomOf(to));
    });
    expect(forbidden).toEqual([]);
  });

  it('lets no page import the inner files of another', () => {
    const forbidden = imports
      .filter(({ from, to }) => roomOf(from) === 'pages' && roomOf(to) === 'pages')
      .map(({ from, to }) => [pageOf(from), pageOf(to)] as const)
      .filter(([from, to]) => from !== to && !SHARED_BY_PAGES.includes(to))
      .map(([from, to]) => `${from} → ${to}`);
    expect(forbidden.filter((arrow) => !PAGE_IN_PAGE.includes(arrow))).toEqual([]);
  });

  it('has one row for each page, with its own letter and icon', () => {
    const files = sources.filter((file) => /^pages\/.*-page\.tsx$/.test(file));
    expect(
      Object.values(PAGES)
        .map(({ file }) => `pages/${file}.tsx`)
        .sort(),
    ).toEqual(files);
    for (const file of files) expect(textOf(file).match(/^export .*\w+Page\(/gm), file).toHaveLength(1);
    const menu = Object.values(PAGES).flatMap((page) => ('menu' in page ? [page.menu] : []));
    expect(new Set(menu.map(({ letter }) => letter)).size).toBe(menu.length);
    for (const { icon } of menu) expect(textOf('ui/icons.ts')).toContain(`export const ${icon} =`);
  });

  it('imports only types and the simplest tables from the service', () => {
    const tables = [
      'contract/reasons',
      'contract/customer-request',
      'contract/detectors',
      'contract/filter-values',
      'contract/first-request',
      'contract/dashboard-signup-counts',
      'contract/dashboard-batches',
      'contract/mail-host-words',
      'model/event',
      'model/policy',
      'model/time-zone',
      'model/role',
    ].map((name) => `../../src/${name}.ts`);
    const forbidden = imports.filter(
      ({ to, typeOnly }) =>
        to.startsWith('..') &&
        !(/^..\/..\/src\/(contract|model)\//.test(to) && (typeOnly || tables.includes(to))),
    );
    expect(forbidden).toEqual([]);
  });

  it('has no default exports, no barrels, and colours only in its theme', () => {
    expect(filesWith(/^export default\b/m)).toEqual([]);
    expect(filesWith(/^export \* from/m)).toEqual([]);
    expect(filesWith(/#[0-9a-f]{6}\b/i).filter((file) => !/^ui\/theme[.-]/.test(file))).toEqual([]);
  });

  it('keeps every dialog that sends something open until it is done or has failed', () => {
    const sending = filesWith(/<(Change|Revoke)Dialog\b/);
    const dialogsOf = (file: string) => textOf(file).match(/<(Change|Revoke)Dialog\b/g) ?? [];
    expect(sending.flatMap(dialogsOf).length).toBeGreaterThan(10);
    expect(sending.filter((file) => /\.mutate\(/.test(textOf(file)))).toEqual([]);
    // A plain question sends nothing.
    expect(filesWith(/<ConfirmDialog\b/)).toEqual([
      'pages/thresholds-unsaved-draft.tsx',
      'ui/change-dialog.tsx',
      'ui/meanwhile-dialog.tsx',
    ]);
    const forms = filesWith(/<FormDialog\b/);
    expect(forms.length).toBeGreaterThan(4);
    expect(forms.filter((file) => !/\buseForm[<(]/.test(textOf(file)))).toEqual([]);
  });

  it('uses the dialogs and forms of the kit everywhere', () => {
    const byHand = filesWith(/<(Modal|form)\b/).filter((file) => !file.startsWith('ui/'));
    // A search field, an illustration of keys, a file that is read at once, and parts that load before their form.
    expect(byHand).toEqual([
      'frame/find-palette.tsx',
      'frame/shortcut-help.tsx',
      'pages/feedback-label-choice.tsx',
      'pages/intelligence-lookup-card.tsx',
      'pages/keys-thresholds.tsx',
      'pages/support-page.tsx',
    ]);
  });

  it('has small files, each with an opening sentence on what it decides', () => {
    expect(sources.filter((file) => textOf(file).trimEnd().split('\n').length > 300)).toEqual([]);
    expect(sources.filter((file) => !/^\/\*\*\s/.test(textOf(file)))).toEqual([]);
  });
});

describe('the contrast of the tokens', () => {
  const css = readFileSync(join(SOURCE, 'ui/theme-tokens.css'), 'utf8');
  const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');
  const PAIRS = [
    ...['text', 'dim', 'faint', 'link', 'allow', 'challenge', 'block', 'test'].flatMap((ink) =>
      ['bg', 'surface', 'sunken'].map((ground) => [ink, ground] as const),
    ),
    ...['allow', 'challenge', 'block', 'test'].map((verdict) => [verdict, `${verdict}-soft`] as const),
    ['on-ink', 'ink'] as const,
  ];

  it.each([
    ['light', light],
    ['dark', dark],
  ])('%s: every text has at least 4.5 : 1 on every background it is used on', (_, scheme) => {
    const weak = PAIRS.map(([ink, ground]) => ({
      ink,
      ground,
      contrast: contrast(tokenOf(scheme, ink), tokenOf(scheme, ground)),
    })).filter(({ contrast }) => contrast < 4.5);
    expect(weak).toEqual([]);
  });
});

function textOf(file: string): string {
  return texts.get(file) as string;
}

function roomOf(file: string): string {
  if (/^pages\.(ts|json)$/.test(file)) return 'pages-table';
  return (file.split('/')[0] as string).replace(/\.tsx?$/, '');
}

/** `thresholds` of `pages/thresholds-histogram.tsx`. */
function pageOf(file: string): string {
  return /^pages\/([a-z]+)/.exec(file)?.[1] as string;
}

function filesWith(pattern: RegExp): string[] {
  return sources.filter((file) => pattern.test(textOf(file)));
}

function tokenOf(scheme: string, name: string): string {
  const value = new RegExp(`--gh-${name}: (#[0-9a-f]{6});`).exec(scheme)?.[1];
  if (value === undefined) throw new Error(`no token ${name}`);
  return value;
}

/** As WCAG 2 defines it. */
function contrast(color: string, background: string): number {
  const [bright, dim] = [luminance(color), luminance(background)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
