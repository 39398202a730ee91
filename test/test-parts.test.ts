/** `npm test` and what `npm run test:all` adds: each test file belongs to exactly one of the two, and the first needs no server. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from './support/command.ts';
import { filesWithoutTheirPrograms } from './support/missing-programs.ts';

const FOLDERS = ['capacity', 'client/src', 'dashboard/src', 'examples/test', 'src', 'test'];
/** They run files of other projects once more, on other servers. */
const REPEATING = ['slow-servers', 'oldest'];
const SHORT = ['unit', 'integration', 'browser'];
const STARTS_SERVER =
  /\b(?:newDatabase|newMigratedDatabase|sharedPostgresUrl|sharedRedisUrl|startPostgresServer|startPgBouncer|startRedis\w*|startCluster)\(/;

interface Listed {
  readonly file: string;
  readonly projectName: string;
}

/** The files that Vitest would run, with their projects, as paths from the root of the repository. */
async function list(config: string): Promise<Listed[]> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'list', '--filesOnly', '--json', '--config', config];
  // There, nothing is left out because of a missing program that can be installed.
  const env = { ...process.env, CI: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env,
    maxBuffer: 2 ** 26,
  });
  return (JSON.parse(stdout) as Listed[])
    .filter(({ projectName }) => !REPEATING.includes(projectName))
    .map(({ file, projectName }) => ({ file: relative(ROOT, file), projectName }));
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [listed, installed] = await Promise.all([list('vitest.config.ts'), list('vitest.examples.config.ts')]);

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
).filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'));

it('have each test file once', () => {
  expect(files.length).toBeGreaterThan(300);
  const inParts = [...listed, ...installed].map(({ file }) => file);
  const leftOut = filesWithoutTheirPrograms().filter((file) => !inParts.includes(file));
  expect([...inParts, ...leftOut].toSorted()).toEqual(files.toSorted());
});

it('are told apart by the names of their projects', () => {
  const names = new Set(listed.map(({ projectName }) => projectName));
  expect([...names].filter((name) => !name.startsWith('slow')).toSorted()).toEqual(SHORT.toSorted());
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts.test).toBe("vitest run --project '!slow*'");
  expect(scripts['test:all']).toBe('node scripts/test-all.mjs');
});

it('are both run by CI', () => {
  expect(read('.ci/run')).toMatch(/^npm test\nnpm run test:all -- --rest$/m);
});

it('need servers only in the second', () => {
  const short = listed.filter(({ projectName }) => SHORT.includes(projectName));
  const withServer = short.filter(({ file }) => STARTS_SERVER.test(read(file)));
  expect(withServer.map(({ file }) => file)).toEqual([]);
});

it.each(['test/support/longest-first.ts', 'scripts/reliability.mjs'])(
  'have the files that %s names',
  (path) => {
    const named = [...read(path).matchAll(/^ {2}'((?:src|test)\/[^']+)',$/gm)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !files.some((file) => file.startsWith(name)))).toEqual([]);
  },
);

/** Words in braces as patterns of their own: each of them is to have a file. */
function alternatives(pattern: string): string[] {
  const [, before = '', words = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return words === '' ? [pattern] : words.split(',').flatMap((word) => alternatives(before + word + after));
}

function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
}

it.each(readdirSync(ROOT).filter((name) => /^vitest.*\.config\.ts$/.test(name)))(
  'have files for each pattern of %s',
  (config) => {
    const patterns = [...read(config).matchAll(/'([^'\s]*\.test\.ts)'/g)].flatMap(([, pattern = '']) =>
      alternatives(pattern),
    );
    // Whole trees may be named before they have a test.
    const isEmpty = (pattern: string) =>
      !pattern.includes('**') && !files.some((file) => toExpression(pattern).test(file));
    expect(patterns.filter(isEmpty)).toEqual([]);
  },
);
