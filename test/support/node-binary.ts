/** Finds a Node.js of another version: from the npm registry, once, into a folder that later runs use again. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/node');
/** The package contains the program itself, and has no install script. */
const PACKAGE = `node-${process.platform}-${process.arch}`;
const PATIENCE_MS = 150_000;

export type NodeBinary = { readonly path: string } | { readonly missing: string };

/** @param version as in npm: `20.19.0`, `24`, `latest`. Remove the folder to get a newer version */
export async function findNode(version: string): Promise<NodeBinary> {
  const path = join(CACHE, `${PACKAGE}-${version}`);
  if (existsSync(path)) return { path };
  const folder = join(CACHE, `fetching-${version}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const missing = await install(`${PACKAGE}@${version}`, folder);
    if (missing !== undefined) return { missing };
    renameSync(join(folder, 'node_modules', PACKAGE, 'bin', 'node'), path);
    return { path };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns why it could not */
function install(name: string, folder: string): Promise<string | undefined> {
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', '--force'];
  const args = ['install', '--prefix', folder, ...quiet, '--fetch-retries=0', name];
  return new Promise((done) => {
    execFile('npm', args, { cwd: folder, timeout: PATIENCE_MS }, (error, _stdout, stderr) => {
      const reason = /^npm error (?:code )?(.*)$/m.exec(stderr)?.[1] ?? error?.message;
      done(error === null ? undefined : `npm could not bring ${name}: ${reason}`);
    });
  });
}
