/** Finds the Chromium that tests drive, and installs one before they run where there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Why no Chromium is there; empty when one is. */
    noChromium: string;
  }
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const INSTALL_MS = 300_000;
const HOW = 'install Chromium (`apt-get install chromium`), or set CHROMIUM_PATH to one';

/** The path of an executable, or `undefined`. CHROMIUM_PATH goes before what is found. */
export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const named = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...named, ...ELSEWHERE, chromium.executablePath()].find((path) => path !== '' && existsSync(path));
}

/** Vitest calls this once before the tests that need a browser. Without one they fail, with this reason; the others run. */
export function setup(project: TestProject): void {
  project.provide('noChromium', findChromium() === undefined ? install() : '');
}

/** @returns why there is still none; empty when there is */
function install(): string {
  if (process.env.CHROMIUM_PATH) return `CHROMIUM_PATH is no file: ${process.env.CHROMIUM_PATH}`;
  process.stdout.write('no Chromium is on this machine: installing one for the tests\n');
  const failures: string[] = [];
  for (const attempt of [installFromSystem, installFromPlaywright]) {
    const failure = attempt();
    if (findChromium() !== undefined) return '';
    failures.push(failure ?? 'it installed nothing that can be found');
  }
  return `there is no Chromium, and none could be installed; ${HOW}\n${failures.join('\n')}`;
}

function installFromSystem(): string | undefined {
  if (process.getuid?.() !== 0) return 'apt-get: only root may install';
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = run('apt-get', ['update'], environment);
  // A list of packages from yesterday may do as well.
  return run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], environment) ?? update;
}

function installFromPlaywright(): string | undefined {
  const cli = join(createRequire(import.meta.url).resolve('playwright-core/package.json'), '..', 'cli.js');
  const more = process.getuid?.() === 0 ? ['--with-deps'] : [];
  return run(process.execPath, [cli, 'install', ...more, 'chromium'], process.env);
}

/** @returns why it failed */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { env, timeout: INSTALL_MS, encoding: 'utf8' });
  if (status === 0) return undefined;
  const line = (error?.message ?? stderr).trim().split('\n').at(-1);
  return `${command} ${args.join(' ')}: ${line}`;
}
