/**
 * Makes a second build of the service: the same code, but the bundled snapshot contains only Gatehouse's own lists. Feeds are
 * compiled into it in hundredths of a second; into the full snapshot, that takes a second of CPU each time.
 */
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { compileBaseline } from '../../src/intel/baseline.ts';
import type { BASELINE_SOURCES } from '../../src/intel/sources.ts';
import { IS_LONG } from './long-version.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SMALL = join(ROOT, 'node_modules/.cache/gatehouse-test/small-build');
const SNAPSHOT = 'dist/intel/baseline.snapshot';
const STAMP = 'dist/.build-stamp';

/** The folder of the build that feed tests run; the long version uses the full build. */
export const FEEDS_BUILD = IS_LONG ? ROOT : SMALL;
export const FEEDS_BASELINE = join(FEEDS_BUILD, SNAPSHOT);

/** Call it after a build. Does nothing if nothing was compiled since the last call. */
export async function makeSmallBuild(): Promise<void> {
  if (existsSync(join(SMALL, SNAPSHOT)) && read(SMALL) === read(ROOT)) return;
  // It has another name until it is complete, so an interrupted or a parallel run never leaves half a build.
  const made = `${SMALL}-${process.pid}`;
  await makeIn(made);
  rmSync(SMALL, { recursive: true, force: true });
  renameSync(made, SMALL);
}

async function makeIn(folder: string): Promise<void> {
  const whole = join(ROOT, SNAPSHOT);
  for (const name of ['package.json', 'bin', 'dist'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (path) => path !== whole });
  const load = (file: string) => import(pathToFileURL(join(folder, 'dist/intel', file)).href);
  const baseline: { compileBaseline: typeof compileBaseline } = await load('baseline.js');
  const bundled: { BASELINE_SOURCES: typeof BASELINE_SOURCES } = await load('sources.js');
  // Domain names are parsed with the list of top-level domains.
  const sources = bundled.BASELINE_SOURCES.filter(
    (row) => row.package === undefined || row.category === 'tld',
  );
  await baseline.compileBaseline({ outFile: join(folder, SNAPSHOT), sources });
}

/** Empty if there is none. */
const read = (root: string) => (existsSync(join(root, STAMP)) ? readFileSync(join(root, STAMP), 'utf8') : '');
