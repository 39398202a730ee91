/** The clients and how the runner of each is started; what a language needs is installed from Debian's packages. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/command.ts';
import { OWN_SYSTEM } from '../support/debian-suites.ts';
import { packClient } from '../support/pack-client.ts';
import type { Runtime } from '../support/runtime-program.ts';

export interface Language {
  readonly name: string;
  readonly runtime: Runtime;
  /** Its compiler refuses what a vector that is `untyped` passes: none of these is run. */
  readonly isTyped?: boolean;
  /** Command that runs the vectors, without its two arguments. @param folder for what is compiled or installed first */
  runner(program: string, folder: string): Promise<readonly string[]>;
  readonly environment?: Readonly<Record<string, string>>;
}

const CLIENTS = join(ROOT, 'clients');

export const GO_MODULE =
  /^module (.+)$/m.exec(readFileSync(join(ROOT, 'clients/go/go.mod'), 'utf8'))?.[1] ?? '';
/** Nothing is fetched: neither modules nor another compiler. */
export const GO = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

export const LANGUAGES: readonly Language[] = [
  {
    name: 'javascript',
    runtime: { packages: [], programs: [process.execPath], check: ['--version'] },
    async runner(program, folder) {
      // As a user has it: packed, and installed.
      const installed = join(folder, 'node_modules/gatehouse-client');
      mkdirSync(installed, { recursive: true });
      run('tar', ['-xzf', await packClient(folder), '-C', installed, '--strip-components=1'], folder);
      cpSync(join(CLIENTS, 'run-vectors.mjs'), join(folder, 'run-vectors.mjs'));
      return [program, join(folder, 'run-vectors.mjs')];
    },
  },
  {
    name: 'python',
    // Debian's packages belong to its own Python, which need not be the first one.
    runtime: {
      packages: ['python3'],
      programs: ['/usr/bin/python3', 'python3'],
      check: ['-c', 'import ssl, urllib.request'],
    },
    runner: async (program) => [program, join(CLIENTS, 'python/tests/run_vectors.py')],
    environment: { PYTHONPATH: join(CLIENTS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' },
  },
  {
    name: 'go',
    runtime: { packages: ['golang-go'], programs: ['go'], check: ['version'] },
    isTyped: true,
    async runner(go, folder) {
      const cwd = join(CLIENTS, 'go');
      run(go, ['vet', './...'], cwd, GO);
      const binary = join(folder, 'vectors-go');
      run(go, ['build', '-trimpath', '-o', binary, './internal/vectors'], cwd, GO);
      return [binary];
    },
  },
  {
    name: 'php',
    runtime: {
      packages: ['php-cli', 'php-curl'],
      programs: ['php'],
      check: ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    },
    runner: async (program) => [program, join(CLIENTS, 'php/tests/run-vectors.php')],
  },
  {
    name: 'ruby',
    runtime: { packages: ['ruby'], programs: ['ruby'], check: ['-e', 'require "net/http"; require "json"'] },
    runner: async (program) => [program, '-w', join(CLIENTS, 'ruby/test/run_vectors.rb')],
    environment: { RUBYLIB: join(CLIENTS, 'ruby/lib') },
  },
];

/** @returns the program of a language; `undefined` where its tests are skipped */
export function findLanguage({ name, runtime }: Language, system = OWN_SYSTEM): string | undefined {
  return system.findProgram(runtime, `clients/${name}`);
}

export function run(program: string, args: readonly string[], cwd: string, environment = {}): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, ...environment } });
}
