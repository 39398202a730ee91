/**
 * Makes a second build of the service: the same code with a bundled snapshot of Gatehouse's own lists alone. Feeds are
 * compiled into it in hundredths of a second; into the whole one, in a second of CPU each time.
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

/** The folder of the build that tests of feeds run: the long version takes the whole one. */
export const FEEDS_BUILD = IS_LONG ? ROOT : SMALL;
export const FEEDS_BASELINE = join(FEEDS_BUILD, SNAPSHOT);

/** After a build; unless nothing was compiled since. */
export async function makeSmallBuild(): Promise<void> {
  if (existsSync(join(SMALL, SNAPSHOT)) && read(SMALL) === read(ROOT)) return;
  // Under another name until it is whole: a run that is ended, or another one beside it, leaves no half of a build.
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
  // Names are read by the list of top-level domains.
  const sources = bundled.BASELINE_SOURCES.filter(
    (row) => row.package === undefined || row.category === 'tld',
  );
  await baseline.compileBaseline({ outFile: join(folder, SNAPSHOT), sources });
}

/** Empty where there is none. */
const read = (root: string) => (existsSync(join(root, STAMP)) ? readFileSync(join(root, STAMP), 'utf8') : '');
