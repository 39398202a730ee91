// Finds programs of the system, and installs what is missing with the system's package manager.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const INSTALL_MS = 300_000;

/** The path of the first of these programs that is on the PATH, or undefined. */
export function find(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Installs a package of the system. Returns why it failed, or undefined. */
export function install(name) {
  if (process.getuid?.() !== 0) return 'apt-get: only root may install';
  process.stdout.write(`installing ${name} from the system's packages\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const outdated = run('apt-get', ['update'], env);
  // An older list of packages may be enough.
  return run('apt-get', ['install', '-y', '--no-install-recommends', name], env) ?? outdated;
}

/** Runs a command to its end. Returns why it failed, or undefined. */
export function run(command, args, env) {
  const { status, error, stderr } = spawnSync(command, args, { env, timeout: INSTALL_MS, encoding: 'utf8' });
  if (status === 0) return undefined;
  const line = (error?.message ?? stderr).trim().split('\n').at(-1);
  return `${command} ${args.join(' ')}: ${line}`;
}
