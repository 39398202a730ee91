/** Advice to contributors is true: few scripts in package.json, each in the table of CONTRIBUTING.md, every command that a text names exists, and the files that tools read agree. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { BENCHES } from '../bench/benches.mjs';
import PACKAGE from '../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
const { scripts } = PACKAGE;
const MAX_SCRIPTS = 15;
/** npm runs them by itself. */
const OF_NPM = ['prepare', 'prestart'];
const FORMS = '.github/ISSUE_TEMPLATE';
const MENTION = /\bnpm run (?:-s |--silent )?([a-z][\w-]*(?::[\w-]+)*)(?: -- ([a-z][a-z-]*))?/g;
const FILE = /\bnode ((?:scripts|bench|demo|capacity)\/[\w./-]+\.mjs)/g;
/** Scripts of their own package.json. */
const ELSEWHERE = /^(?:examples|client|site)\//;

interface IssueForm {
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
}

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

it('and versions of Node.js agree', () => {
  expect(PACKAGE.engines.node).toBe(`>=${read('.nvmrc').trim()}`);
});

it('and the questions of pull requests agree', () => {
  const section = read('CONTRIBUTING.md').split('A pull request answers')[1]?.split('\n## ')[0] as string;
  const questions = [...section.matchAll(/^- (.*\?)$/gm)].map(([, question]) => question);
  const asked = [...read('.github/pull_request_template.md').matchAll(/^\*\*(.*?)\*\*/gm)].map(
    ([, question]) => question,
  );
  expect(questions.length).toBe(5);
  expect(asked).toEqual(questions);
});

const forms = readdirSync(join(ROOT, FORMS)).filter((name) => name !== 'config.yml');

it.each(forms)('and the form %s is one that the host can show', (name) => {
  const form = parse(read(`${FORMS}/${name}`)) as IssueForm;
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const fields = form.body.filter(({ type }) => type !== 'markdown');
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  for (const { type, attributes } of form.body) {
    expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
    expect(attributes).toHaveProperty(type === 'markdown' ? 'value' : 'label');
  }
});
