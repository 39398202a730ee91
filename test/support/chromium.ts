/** Starts a single Chromium for the run, and installs it first if it is missing. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { install as installPackage, run } from '../../scripts/system-package.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address for control of this run's Chromium; empty if there is none. */
    chromium: string;
    /** Why there is no Chromium; empty if there is one. */
    noChromium: string;
  }
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Pages are open too briefly for optimized code to be worth its compilation.
  '--js-flags=--no-opt',
];
const HOW = 'install Chromium (`apt-get install chromium-headless-shell`), or set CHROMIUM_PATH to one';

/** Vitest calls this once before the tests that need a browser. Without one they fail, with this reason; the others run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('noChromium', findChromium() === undefined ? install() : '');
  const executablePath = findChromium();
  project.provide('chromium', '');
  if (executablePath === undefined) return async () => {};
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer({ executablePath, args: FLAGS });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}

/** @returns why Chromium is still missing; empty if it is there */
function install(): string {
  if (process.env.CHROMIUM_PATH) return `CHROMIUM_PATH is no file: ${process.env.CHROMIUM_PATH}`;
  const failures: string[] = [];
  for (const attempt of [
    () => installPackage('chromium-headless-shell'),
    () => installPackage('chromium'),
    installFromPlaywright,
  ]) {
    const failure = attempt();
    if (findChromium() !== undefined) return '';
    failures.push(failure ?? 'it installed nothing that can be found');
  }
  return `there is no Chromium, and none could be installed; ${HOW}\n${failures.join('\n')}`;
}

function installFromPlaywright(): string | undefined {
  const cli = join(createRequire(import.meta.url).resolve('playwright-core/package.json'), '..', 'cli.js');
  const more = process.getuid?.() === 0 ? ['--with-deps'] : [];
  return run(process.execPath, [cli, 'install', ...more, 'chromium'], process.env);
}
