/** A copy of the repository as in production: other file times, and only the packages for production. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  'bin',
  'dashboard',
  'dist',
  'package.json',
  'scripts',
  'src',
  'tsconfig.json',
  'tsconfig.build.json',
];

export interface ProductionCopy {
  readonly folder: string;
  /** Runs the build as `npm ci --omit=dev` and `npm start` do. */
  build(): Promise<{ readonly status: number; readonly output: string }>;
  remove(): Promise<void>;
}

export async function createProductionCopy(): Promise<ProductionCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-production-'));
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules'),
    });
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  return {
    folder,
    build: () =>
      new Promise((done) => {
        execFile(process.execPath, ['scripts/build.mjs'], { cwd: folder }, (error, stdout, stderr) => {
          done({ status: error === null ? 0 : Number(error.code), output: stdout + stderr });
        });
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Top-level folders of node_modules that `npm ci --omit=dev` installs; their contents are copied too. */
function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev && !link)
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path)));
}
