// Finds programs of the system, and installs what is missing with the system's package manager.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const INSTALL_MS = 300_000;
/** How long to wait while another process installs packages. */
const LOCK_WAIT = `DPkg::Lock::Timeout=${INSTALL_MS / 1000}`;
const TRIES = 3;
const PAUSE_MS = 5_000;

/** The path of the first of these programs that is on the PATH, or undefined. */
export function find(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Installs packages of the system. Returns why it failed, or undefined. */
export function install(...names) {
  if (process.getuid?.() !== 0) return 'apt-get: only root may install';
  process.stdout.write(`installing ${names.join(', ')} from the system's packages\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const command = ['install', '-y', '--no-install-recommends', '-o', LOCK_WAIT, ...names];
  if (run('apt-get', command, env) === undefined) return undefined;
  for (let tries = 1; ; tries += 1) {
    // The list of packages was missing or too old.
    const failures = [run('apt-get', ['update'], env), run('apt-get', command, env)];
    if (failures[1] === undefined) return undefined;
    // Another process may be updating the list: apt-get does not wait for that lock.
    if (tries === TRIES || !failures.some((failure) => /\block\b/i.test(failure))) return failures[1];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** Unpacks a package of the system, or of the one whose apt-get it is, into a folder: without what it depends on and without installing it. Returns why it failed, or undefined. */
export function unpack(name, folder, aptGet = 'apt-get') {
  const packed = mkdtempSync(`${folder}-package-`);
  try {
    const download = () => run(aptGet, ['download', name], process.env, packed);
    if (download() !== undefined) {
      // The list of packages was missing or too old.
      run(aptGet, ['update'], process.env, packed);
      const failure = download();
      if (failure !== undefined) return failure;
    }
    const [file = ''] = readdirSync(packed);
    return run('dpkg', ['-x', join(packed, file), folder], process.env);
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
}

/** Runs a command to its end. Returns why it failed, or undefined. */
export function run(command, args, env, cwd) {
  const options = { env, cwd, timeout: INSTALL_MS, encoding: 'utf8' };
  const { status, error, stderr } = spawnSync(command, args, options);
  if (status === 0) return undefined;
  const line = (error?.message ?? stderr).trim().split('\n').at(-1);
  return `${command} ${args.join(' ')}: ${line}`;
}
