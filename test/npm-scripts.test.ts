/** The commands of a clone: few scripts in package.json, each in the table of CONTRIBUTING.md, and every mention of one names one that exists. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { BENCHES } from '../bench/benches.mjs';
import PACKAGE from '../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
const { scripts } = PACKAGE;
const MAX_SCRIPTS = 15;
/** npm runs them by itself. */
const OF_NPM = ['prepare', 'prestart'];
const MENTION = /\bnpm run (?:-s |--silent )?([a-z][\w-]*(?::[\w-]+)*)(?: -- ([a-z][a-z-]*))?/g;
const FILE = /\bnode ((?:scripts|bench|demo|capacity)\/[\w./-]+\.mjs)/g;
/** Scripts of their own package.json. */
const ELSEWHERE = /^(?:examples|client|site)\//;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const texts = tracked.filter(
  (path) =>
    (/\.(?:md|mjs|ts|tsx|yml|json|sh)$/.test(path) || ['Dockerfile', '.ci/run'].includes(path)) &&
    !/package-lock|^test\/fixtures/.test(path) &&
    !ELSEWHERE.test(path) &&
    existsSync(join(ROOT, path)),
);
const measures = [...read('bench/run.mjs').matchAll(/^ {2}(\w+): measure/gm)].map(([, name]) => name);

it('are a dozen and a few', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(MAX_SCRIPTS);
});

it('are all in the table of CONTRIBUTING.md', () => {
  const table = read('CONTRIBUTING.md').split('## Commands')[1] as string;
  const rows = new Set([...table.matchAll(/^\| `npm (?:run )?([\w:-]+)/gm)].map(([, name]) => name));
  expect(
    Object.keys(scripts).filter((name) => !OF_NPM.includes(name) && name !== 'start' && !rows.has(name)),
  ).toEqual([]);
});

it('exist wherever one is named', () => {
  const unknown = texts.flatMap((path) =>
    [...read(path).matchAll(MENTION)].flatMap(([mention, name = '', bench]) => {
      const isBench = name !== 'bench' || bench === undefined || bench in BENCHES || measures.includes(bench);
      return name in scripts && isBench ? [] : [`${path}: ${mention}`];
    }),
  );
  expect(unknown).toEqual([]);
});

it('that are files exist wherever one is named', () => {
  const missing = texts.flatMap((path) =>
    [...read(path).matchAll(FILE)]
      .filter(([, file = '']) => !existsSync(join(ROOT, file)))
      .map(([mention]) => `${path}: ${mention}`),
  );
  expect(missing).toEqual([]);
});
