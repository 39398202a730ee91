/**
 * The systems on which tests run programs of other languages: this one, and newer suites of Debian, each in a folder in which
 * programs are started by `chroot`. They share the network and nothing else. Only root may do that; a suite that cannot
 * be installed is skipped with a line, one whose programs fail is a failed test.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { find, install, unpack } from '../../scripts/system-package.mjs';
import { ROOT } from './command.ts';
import { isImpossible, isSkipped } from './missing-programs.ts';
import { findProgram, type Runtime } from './runtime-program.ts';

export interface System {
  /** Empty for the system of this process. */
  readonly name: string;
  /** Temporary files are made here: the path is the same for its programs. */
  readonly temporary: string;
  /** @returns the path of a program, which is started like any other, or `undefined` if its tests are skipped */
  findProgram(runtime: Runtime, subject: string): string | undefined;
  /** The short path of a file for its programs. */
  inside(path: string): string;
  /** Unpacks a package into a folder below `temporary`, without installing it. @returns why it failed */
  unpack(packageName: string, folder: string): string | undefined;
  /** Name of what a package contains, with its version and the suite, for the name of a test. */
  title(name: string, packageName: string): string;
}

/** Kept between runs, and outside the repository, whose tools would search it. */
const CACHE = '/var/cache/gatehouse-test/debian';
/** Exit code of make-debian-suite.mjs. */
const NOT_TO_BE_HAD = 3;
/** Debian's next release. `GATEHOUSE_TEST_DEBIAN="trixie forky"` chooses others. */
const SUITES = (process.env.GATEHOUSE_TEST_DEBIAN ?? 'forky').split(/[\s,]+/).filter((name) => name !== '');
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export const OWN_SYSTEM: System = {
  name: '',
  temporary: tmpdir(),
  findProgram,
  inside: (path) => path,
  unpack,
  title: (name, packageName) => titleOf(name, packageName, ''),
};

export const SYSTEMS: readonly System[] = [
  OWN_SYSTEM,
  ...SUITES.filter((name) => name !== ownSuite()).map(suite),
];

function suite(name: string): System {
  const folder = join(CACHE, name);
  return {
    name,
    temporary: join(folder, 'tmp'),
    findProgram({ packages, programs: [program = ''], check }, subject) {
      const failure = prepare(name, folder, packages);
      if (failure !== undefined) {
        const line = `${subject} with Debian ${name}: ${failure}`;
        // Nobody here can add to an archive.
        if (mayNot() === undefined) isImpossible(line);
        else isSkipped(line);
        return undefined;
      }
      const path = writeStarter(name, folder, basename(program));
      const { status, stderr } = spawnSync(path, check, { encoding: 'utf8' });
      if (status === 0) return path;
      throw new Error(`${subject} with Debian ${name}: ${program} is installed and fails: ${stderr}`);
    },
    inside: (path) => (path.startsWith(folder) ? path.slice(folder.length) : path),
    unpack: (packageName, into) => unpack(packageName, into, writeStarter(name, folder, 'apt-get')),
    title: (title, packageName) => titleOf(title, packageName, name),
  };
}

function mayNot(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may make it';
  return find(['apt-get']) === undefined ? 'this system is not a Debian' : undefined;
}

/** Makes the suite or completes it. @returns why it failed */
function prepare(name: string, folder: string, packages: readonly string[]): string | undefined {
  const obstacle = mayNot();
  if (obstacle !== undefined) return obstacle;
  if (find(['debootstrap']) === undefined) {
    const failure = install('debootstrap');
    if (failure !== undefined) return failure;
  }
  mkdirSync(CACHE, { recursive: true });
  // Files run side by side: the first makes it.
  const maker = [process.execPath, join(import.meta.dirname, 'make-debian-suite.mjs')];
  const args = [`${folder}.lock`, ...maker, folder, name, ...packages];
  const { status, stdout, stderr } = spawnSync('flock', args, { encoding: 'utf8' });
  if (status === NOT_TO_BE_HAD) return `not installed: ${stdout.trim()}`;
  if (status !== 0) throw new Error(`Debian ${name}: ${stdout}${stderr}`);
  // The clients, at the same path.
  const clients = join(folder, ROOT);
  mkdirSync(clients, { recursive: true });
  spawnSync('flock', [`${folder}.lock`, 'cp', '-r', '--update', join(ROOT, 'clients'), clients]);
  return undefined;
}

/** Writes a program outside that starts one inside: with the same folder, settings, input and output, as the same process. Go finds itself only by /proc, which is not mounted. */
function writeStarter(name: string, folder: string, program: string): string {
  const path = join(CACHE, `${name}-bin`, program);
  const text = `#!/bin/sh
exec env --unset=TMPDIR PATH=${PATH} GOROOT=/usr/lib/go chroot '${folder}' /usr/bin/env --chdir="$PWD" ${program} "$@"
`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return path;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function titleOf(title: string, packageName: string, name: string): string {
  const within = name === '' ? [] : ['chroot', join(CACHE, name)];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own
  const query = ['dpkg-query', '--show', '--showformat=${Version}', packageName];
  const [command = '', ...args] = [...within, ...query];
  const { stdout } = spawnSync(command, args, { encoding: 'utf8' });
  const version = /^(?:\d+:)?([\d.]+\d)/.exec(stdout ?? '')?.[1];
  return [title, version, name && `(${name})`].filter(Boolean).join(' ');
}

function ownSuite(): string | undefined {
  if (!existsSync('/etc/os-release')) return undefined;
  return /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
}
