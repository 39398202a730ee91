/** Each client is built as its ecosystem expects, without a network: the package has the code, the licence and nothing else, and an installed one works. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import PACKAGE from '../../package.json' with { type: 'json' };
import { ROOT } from '../support/command.ts';
import { findProgram } from '../support/runtime-program.ts';
import { findLanguage, GO, GO_MODULE, LANGUAGES, run } from './languages.ts';

const CLIENTS = join(ROOT, 'clients');
const BUILD_MS = 180_000;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programOf = (name: string) => {
  const language = LANGUAGES.find((each) => each.name === name);
  if (language === undefined) throw new Error(name);
  return findLanguage(language);
};
const [go, php, ruby] = ['go', 'php', 'ruby'].map(programOf);
const python = findProgram(
  {
    packages: ['build', 'setuptools', 'wheel', 'venv', 'pip'].map((name) => `python3-${name}`),
    programs: ['/usr/bin/python3', 'python3'],
    check: ['-c', 'import build, setuptools, wheel, venv, pip'],
  },
  'the package of clients/python',
);
const composer = findProgram(
  { packages: ['composer'], programs: ['composer'], check: ['--version'] },
  'the package of clients/php',
);
const copyOf = (name: string) => {
  const copy = join(folder, name);
  run('cp', ['-r', join(CLIENTS, name), copy], folder);
  return copy;
};

describe('the packages', () => {
  it.each(['python', 'go', 'php', 'ruby'])('of %s has our licence', (name) => {
    expect(readFileSync(join(CLIENTS, name, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    );
    expect(readFileSync(join(CLIENTS, name, 'README.md'), 'utf8')).toContain('**Not yet published.**');
  });

  it('have the version of the service', () => {
    expect(readFileSync(join(CLIENTS, 'python/pyproject.toml'), 'utf8')).toContain(
      `version = "${PACKAGE.version}"`,
    );
    expect(readFileSync(join(CLIENTS, 'ruby/lib/gatehouse/version.rb'), 'utf8')).toContain(
      `VERSION = "${PACKAGE.version}"`,
    );
  });

  it.skipIf(python === undefined)('of Python: a wheel and an sdist', { timeout: BUILD_MS }, () => {
    const copy = copyOf('python');
    run(python ?? '', ['-m', 'build', '--no-isolation', '--outdir', 'out'], copy);
    const [wheel = '', sdist = ''] = readdirSync(join(copy, 'out')).toSorted((a, b) => b.length - a.length);
    expect(wheel).toBe(`gatehouse_client-${PACKAGE.version}-py3-none-any.whl`);
    // Older setuptools write a hyphen.
    expect(sdist).toMatch(/^gatehouse[-_]client-[\d.]+\.tar\.gz$/);
    run(python ?? '', ['-m', 'venv', 'installed'], copy);
    const installed = join(copy, 'installed/bin/python');
    run(installed, ['-m', 'pip', 'install', '--quiet', '--no-index', join('out', wheel)], copy);
    const program = 'import gatehouse, os; print(sorted(os.listdir(os.path.dirname(gatehouse.__file__))))';
    const files = run(installed, ['-c', program], copy);
    for (const name of ['models.py', 'py.typed', '_client.py', 'django'])
      expect(files).toContain(`'${name}'`);
    expect(run('tar', ['-tzf', join('out', sdist)], copy)).toContain('/LICENSE');
  });

  it.skipIf(go === undefined)('of Go: a module that is formatted, vetted and used by another', () => {
    const cwd = join(CLIENTS, 'go');
    expect(run('gofmt', ['-l', '.'], cwd)).toBe('');
    run(go ?? '', ['vet', './...'], cwd, GO);
    const user = join(folder, 'go-user');
    mkdirSync(user);
    run(go ?? '', ['mod', 'init', 'example.com/user'], user, GO);
    const replace = `${GO_MODULE}=${cwd}`;
    run(go ?? '', ['mod', 'edit', '-require', `${GO_MODULE}@v0.1.0`, '-replace', replace], user, GO);
    const code = `package main\n\nimport "${GO_MODULE}"\n\nfunc main() { _, err := gatehouse.New(gatehouse.Options{}); println(err.Error()) }\n`;
    writeFileSync(join(user, 'main.go'), code);
    run(go ?? '', ['build', '-o', 'user', '.'], user, GO);
    expect(run(go ?? '', ['list', '-m', '-f', '{{.Indirect}}', 'all'], user, GO)).toBe('false\nfalse\n');
  });

  it.skipIf(php === undefined || composer === undefined)(
    'of PHP: a package that composer installs',
    { timeout: BUILD_MS },
    () => {
      const user = join(folder, 'php-user');
      mkdirSync(user);
      const repository = { type: 'path', url: join(CLIENTS, 'php'), options: { symlink: false } };
      const own = {
        repositories: [repository, { 'packagist.org': false }],
        require: { 'gatehouse/gatehouse-client': '@dev' },
      };
      writeFileSync(join(user, 'composer.json'), JSON.stringify(own));
      const environment = { COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_HOME: join(folder, 'composer') };
      run(composer ?? '', ['validate', '--strict', '--no-check-publish'], join(CLIENTS, 'php'), environment);
      run(composer ?? '', ['install', '--no-interaction', '--quiet'], user, environment);
      const program =
        'require "vendor/autoload.php"; echo (new Gatehouse\\Gatehouse("http://127.0.0.1:9", "sk_test_1"))->protectSignup([], null)->decision;';
      expect(run(php ?? '', ['-d', 'log_errors=0', '-r', program], user)).toContain('allow');
      expect(readdirSync(join(user, 'vendor/gatehouse/gatehouse-client'))).toContain('LICENSE');
    },
  );

  it.skipIf(ruby === undefined)('of Ruby: a gem', { timeout: BUILD_MS }, () => {
    const copy = copyOf('ruby');
    const environment = { GEM_HOME: join(folder, 'gems'), GEM_PATH: join(folder, 'gems') };
    const gem = `gatehouse-client-${PACKAGE.version}.gem`;
    expect(run('gem', ['build', 'gatehouse-client.gemspec'], copy, environment)).toContain(gem);
    run('gem', ['install', '--local', '--no-document', gem], copy, environment);
    const program = 'require "gatehouse-client"; puts Gatehouse::VERSION';
    expect(run(ruby ?? '', ['-e', program], folder, environment).trim()).toBe(PACKAGE.version);
    expect(run('gem', ['contents', 'gatehouse-client'], folder, environment)).toContain('/LICENSE');
  });
});
