/** Checks the architecture: who may import whom, where the environment and status codes may be used, how large a file may be. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');

/** Room → rooms it may import from; every room may import `model`. Each file directly under src is its own room. */
const MAY_KNOW: Record<string, readonly string[]> = {
  model: [],
  contract: ['common-js'],
  address: ['common-js'],
  counters: [],
  outbound: ['address'],
  intel: ['address', 'common-js', 'file-lock', 'outbound', 'steady-clock', 'thread', 'turns', 'version'],
  store: ['contract', 'deadline', 'sqlite-driver', 'thread', 'thread-beat', 'turns'],
  accounts: ['contract', 'store', 'turns'],
  evidence: ['contract', 'address', 'common-js', 'intel', 'counters', 'outbound'],
  assess: ['contract', 'address', 'evidence'],
  challenges: ['contract', 'outbound', 'store'],
  signup: ['contract', 'accounts', 'address', 'assess', 'counters', 'deadline', 'evidence', 'store'],
  http: ['contract', 'accounts', 'address', 'assess', 'challenges', 'deadline', 'signup', 'store'],
  cli: ['app', 'config', 'contract', 'accounts', 'intel', 'printable', 'store', 'version'],
  main: ['cli'],
  'common-js': [],
  config: [],
  deadline: [],
  'file-lock': ['sqlite-driver'],
  printable: [],
  'sqlite-driver': ['common-js'],
  'steady-clock': [],
  thread: ['thread-beat'],
  'thread-beat': [],
  turns: [],
  version: [],
};

/** Folders or files of adapters → the only room outside their own folder that may name them. */
const ADAPTERS = ['store/sqlite/', 'store/postgres/', 'counters/memory', 'counters/redis'];

interface Import {
  readonly from: string;
  readonly to: string;
}

const allFiles = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();
const sources = allFiles.filter((file) => !/\.(test|suite)\.ts$/.test(file));
/** Test suites shared by several adapters. */
const suites = allFiles.filter((file) => file.endsWith('.suite.ts'));
const imports = sources.flatMap(importsOf);

describe('the source code', () => {
  it('has rooms, and their imports are found', () => {
    expect(sources.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(150);
    expect(new Set(sources.map(roomOf))).toEqual(new Set([...Object.keys(MAY_KNOW), 'app']));
  });

  it('lets each room import only the rooms it may', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const room = roomOf(from);
      return ![room, 'model'].includes(roomOf(to)) && room !== 'app' && !MAY_KNOW[room]?.includes(roomOf(to));
    });
    expect(forbidden).toEqual([]);
  });

  it('lets only wiring/app.ts, app-*.ts and an adapter itself name an adapter', () => {
    const forbidden = imports.filter(({ from, to }) =>
      ADAPTERS.some(
        (adapter) => to.startsWith(adapter) && !from.startsWith(adapter) && roomOf(from) !== 'app',
      ),
    );
    expect(forbidden).toEqual([]);
  });

  it('reads the environment only in config/config.ts', () => {
    expect(filesWith(/process\.env\b/)).toEqual(['config/config.ts']);
  });

  it('keeps HTTP status codes in the tables of problems and http/', () => {
    const forbidden = filesWith(/\b(?:status(?:Code)?:|\.code\()\s*[1-5]\d\d\b/).filter(
      (file) => !/^contract\/(?:dashboard-)?problems?\.ts$/.test(file) && !file.startsWith('http/'),
    );
    expect(forbidden).toEqual([]);
  });

  it('keeps the judge pure: no clock, no I/O, no randomness', () => {
    const text =
      readFileSync(join(SOURCE, 'signup/judge.ts'), 'utf8') +
      readFileSync(join(SOURCE, 'signup/policy.ts'), 'utf8') +
      readFileSync(join(SOURCE, 'signup/rule.ts'), 'utf8');
    expect(text).not.toMatch(/from 'node:|Date\b|performance|Math\.random|\bfetch\b|\bawait\b/);
  });

  it('keeps the model to types and values: no clock, no I/O, no randomness', () => {
    const files = sources.filter((file) => file.startsWith('model/'));
    expect(files.length).toBeGreaterThan(5);
    const effects =
      /from 'node:|\bDate\b|\bperformance\b|Math\.random|\bfetch\b|\bawait\b|\basync\b|\bprocess\b/;
    expect(files.filter((file) => effects.test(codeOf(file)))).toEqual([]);
  });

  it('declares each exported type name once', () => {
    const files = new Map<string, string[]>();
    for (const file of sources)
      for (const [, name = ''] of codeOf(file).matchAll(
        /^export (?:type|interface|(?:abstract )?class|enum) (\w+)/gm,
      ))
        files.set(name, [...(files.get(name) ?? []), file]);
    expect(files.size).toBeGreaterThan(300);
    const twins = [...files].filter(([, declarers]) => declarers.length > 1);
    expect(twins).toEqual([]);
  });

  it('has no barrels, no default exports and no files for mixed helpers', () => {
    expect(
      sources.filter((file) => /(^|\/)(index|utils|helpers|common|services|types)(\.ts|\/)/.test(file)),
    ).toEqual([]);
    expect(filesWith(/^export default\b/m)).toEqual([]);
    expect(filesWith(/^export \* from/m)).toEqual([]);
  });
});

describe('file sizes', () => {
  const measure = (file: string) => ({ file, lines: linesOf(file) });
  const lengths = sources.map(measure);

  it('none has over 400 lines, and no test suite of an adapter', () => {
    expect(suites.length).toBeGreaterThan(20);
    expect([...lengths, ...suites.map(measure)].filter(({ lines }) => lines > 400)).toEqual([]);
  });

  it('90 % have under 200 lines, and the median is at most 90', () => {
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(200);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(90);
  });

  it('every file begins with a sentence on what it decides', () => {
    const silent = sources.filter(
      (file) => !/^(#!.*\n)?\/\*\* \S/.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(silent).toEqual([]);
  });
});

/** `wiring/app.ts` and `app-*.ts` are one room. */
function roomOf(file: string): string {
  return (file.split('/')[0] as string).replace(/\.ts$/, '').replace(/^app-.*/, 'app');
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const found = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
  return [...found].map(([, path]) => ({
    from: file,
    to: relative(SOURCE, resolve(SOURCE, dirname(file), path as string)),
  }));
}

/** Without comments. */
function codeOf(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function filesWith(pattern: RegExp): string[] {
  return sources.filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8')));
}

function linesOf(file: string): number {
  return readFileSync(join(SOURCE, file), 'utf8').trimEnd().split('\n').length;
}
