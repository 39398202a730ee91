/**
 * Installs the packages of tools/packages when they are first used, so that `npm ci` in the repository stays small: most
 * people who run it want the service.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGES = resolve(import.meta.dirname, 'packages');
/** Not in node_modules, which every `npm ci` removes. */
const INSTALLED = resolve(import.meta.dirname, '../.tools');
const FILES = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * The folder with their node_modules. Processes may call it at the same time.
 * @throws with the last line of npm, if it cannot install them
 */
export async function installTools() {
  const folder = join(INSTALLED, versionOfLock());
  if (existsSync(folder)) return folder;
  mkdirSync(INSTALLED, { recursive: true });
  const before = readdirSync(INSTALLED).filter((name) => !name.startsWith('new-'));
  const made = mkdtempSync(join(INSTALLED, 'new-'));
  // PostgreSQL runs as another user when root tests.
  chmodSync(made, 0o755);
  try {
    for (const file of FILES) copyFileSync(join(PACKAGES, file), join(made, file));
    await runNpm(made);
    rename(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  for (const name of before) rmSync(join(INSTALLED, name), { recursive: true, force: true });
  return folder;
}

function versionOfLock() {
  const lock = readFileSync(join(PACKAGES, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex').slice(0, 16);
}

function runNpm(folder) {
  process.stderr.write('installing the tools for development and tests, once\n');
  const args = ['ci', '--prefix', folder, '--include=optional', '--no-audit', '--no-fund'];
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => {
      const reason = /^npm error (?!code )(.*)$/m.exec(errors)?.[1] ?? `npm ended with ${status}`;
      if (status === 0) done();
      else fail(new Error(`npm could not install tools/packages: ${reason}`));
    });
  });
}

/** Another process may have been first. */
function rename(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
