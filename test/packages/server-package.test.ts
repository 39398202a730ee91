/** The npm package `gatehouse-server`: packed and installed from its tarball into an empty folder, it answers its first signup soon, and takes little disk space. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productionPackages } from '../../scripts/production-packages.mjs';
import { installTools } from '../../tools/install-tools.mjs';
import { ROOT } from '../support/command.ts';
import { diskUsage } from '../support/disk-usage.ts';
import { expectWithin, IS_LONG } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { findNode } from '../support/node-binary.ts';
import { npmEnvironment } from '../support/npm-environment.ts';
import { spawnService } from '../support/running-service.ts';
import type { Environment, ServiceProcess } from '../support/service.ts';
import { optionsOf, START_OPTIONS } from '../support/start-options.ts';

/** With the name that starts the service there; the package has both. */
const VERSIONS = [
  // It cannot start itself again with the options of `npm start`.
  { version: '20.19.0', command: 'gatehouse', options: [] },
  { version: 'latest', command: 'gatehouse-server', options: START_OPTIONS },
];
const FIRST_VERDICT_MS = 20_000;
/** Time on a busy machine with a slow registry: longer means that something is wrong. */
const HANG_MS = 240_000;
const MAX_BYTES = 105e6;

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
interface Lock {
  readonly packages: Record<string, { readonly hasInstallScript?: boolean }>;
}

const run = promisify(execFile);
const folders: string[] = [];
let packed: Packed;
let tarball: string;
/** Folder of what was packed. */
let unpacked: string;
let installation: string | undefined;

beforeAll(async () => {
  const folder = createFolder();
  unpacked = join(folder, 'package');
  await run(process.execPath, ['scripts/server-package.mjs', unpacked], { cwd: ROOT });
  const { stdout } = await run('npm', ['pack', '--json', './package'], {
    cwd: folder,
    env: npmEnvironment(),
  });
  [packed] = JSON.parse(stdout) as [Packed];
  tarball = join(folder, packed.filename);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
  folders.push(folder);
  return folder;
}

/** Files that a module names by paths relative to its own. */
const importsOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:from|import\(|import) ?'(\.{1,2}\/[^']+)'|new URL\('(\.{1,2}\/[^']+\.js)'/g,
    ),
  ].map(([, imported, url]) => join(dirname(file), imported ?? url ?? ''));

/** The environment in which `node` and npm are this version; undefined if it is not installed. */
async function environmentWith(version: string): Promise<Environment | undefined> {
  const found = await findNode(version);
  if (isSkipped('missing' in found ? `Node.js ${version}: ${found.missing}` : undefined)) return undefined;
  const bin = createFolder();
  symlinkSync('path' in found ? found.path : '', join(bin, 'node'));
  const environment = npmEnvironment();
  return { ...environment, PATH: `${bin}${delimiter}${environment.PATH ?? ''}` };
}

const names = (lock: Lock) => Object.keys(lock.packages).map((path) => path.replace(/.*node_modules\//, ''));
const readLock = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Lock;

describe('the tarball', () => {
  it('contains code, pages, data, documents, licence and notices, and nothing that only the build needs', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/gatehouse.js',
        'dist/THIRD-PARTY.txt',
        'dist/address/names.table',
        'dist/dashboard/index.html',
        'dist/intel/baseline.snapshot',
        'dist/main.js',
        'dist/reference/docs.gz',
        'docs/README.md',
        'docs/settings.md',
        'package.json',
      ]),
    );
    expect(paths.filter((path) => /\.(?:map|tsx?|key)$|(?:^|\/)\.|node_modules/.test(path))).toEqual([]);
  });

  it('has each module that another imports, and none that is empty', () => {
    const modules = packed.files
      .map(({ path }) => path)
      .filter((path) => /^dist\/(?!dashboard|http\/challenge-page).*\.js$/.test(path));
    const missing = modules.flatMap((path) =>
      importsOf(join(unpacked, path)).filter((file) => !existsSync(file)),
    );
    expect(modules.length).toBeGreaterThan(900);
    expect(missing).toEqual([]);
    const isEmpty = (path: string) =>
      /^export \{\};(?:\n\/\/.*)?\s*$/.test(readFileSync(join(unpacked, path), 'utf8'));
    expect(modules.filter(isEmpty)).toEqual([]);
  });
});

describe.each(VERSIONS)('installed from its tarball with Node.js $version', (expected) => {
  const { version, command, options } = expected;
  let environment: Environment | undefined;
  beforeAll(async () => {
    environment = await environmentWith(version);
  }, HANG_MS);

  it('gives its first verdict soon, with little disk space', { timeout: HANG_MS }, async ({ skip }) => {
    if (environment === undefined) return skip();
    const begin = performance.now();
    const folder = await install(environment);
    const installed = performance.now();
    const service = await startIn(folder, environment, command);
    try {
      const verdict = await firstVerdict(service, join(folder, 'data', 'first-keys.txt'));
      const milliseconds = performance.now() - begin;
      if (process.platform === 'linux') expect(optionsOf(commandLineOf(folder))).toEqual(options);
      expect(verdict).toEqual({ status: 200, body: expect.objectContaining({ verdict: 'block' }) });
      for (const page of ['/', '/docs'])
        expect((await fetch(`${service.url}${page}`)).headers.get('content-type')).toContain('text/html');
      const bytes = diskUsage(join(folder, 'node_modules'));
      report(
        `Node.js ${version}: ${seconds(installed - begin)} install, ${seconds(milliseconds)} with start`,
      );
      report(`Node.js ${version}: ${(bytes / 1e6).toFixed(0)} MB in node_modules`);
      expect(bytes).toBeLessThan(MAX_BYTES);
      expectWithin(milliseconds, FIRST_VERDICT_MS);
      expectExactlyItsPackages(readLock(join(folder, 'node_modules', '.package-lock.json')));
    } finally {
      await stop(service, folder);
    }
  });

  it('makes spans with an SDK from outside of its folder, which brings an API of its own', {
    timeout: HANG_MS,
  }, async ({ skip }) => {
    if (environment === undefined) return skip();
    await installTools();
    expect(await isTraced(await install(environment), environment, command)).toBe(true);
  });
});

/** Whether the service in the folder made a span, with the SDK of `tracing-sdk.mjs`. */
async function isTraced(folder: string, environment: Environment, command: string): Promise<boolean> {
  const spans = join(folder, 'spans');
  const NODE_OPTIONS = `--import ${join(ROOT, 'test/support/tracing-sdk.mjs')}`;
  const service = await startIn(folder, { ...environment, NODE_OPTIONS, SPANS: spans }, command);
  await stop(service, folder);
  return existsSync(spans) && readFileSync(spans, 'utf8').includes('"gatehouse start"');
}

/** The folder of the package, without data. An installation takes longer than everything else, so the short version makes one for all. */
async function install(environment: Environment): Promise<string> {
  if (installation !== undefined && !IS_LONG) {
    rmSync(join(installation, 'data'), { recursive: true });
    return installation;
  }
  installation = createFolder();
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: installation, env: environment });
  return installation;
}

/** `npx COMMAND start` in the folder, as its user would run it, with requests to outside hosts turned off. */
function startIn(folder: string, environment: Environment, command: string): Promise<ServiceProcess> {
  const quiet = {
    PORT: '0',
    GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
    GATEHOUSE_FEEDS: 'off',
    GATEHOUSE_DNS_SERVERS: '127.0.0.1:9',
    GATEHOUSE_CANARY_DOMAINS: 'off',
  };
  return spawnService({ ...environment, ...quiet }, ['npx', '--no', command], folder);
}

/** Ends the process that the data folder names, because npx does not pass a signal on. */
async function stop(service: ServiceProcess, folder: string): Promise<void> {
  process.kill(pidOf(folder), 'SIGTERM');
  expect(await service.ended).toBe(0);
}

function pidOf(folder: string): number {
  return (JSON.parse(readFileSync(join(folder, 'data', 'service.json'), 'utf8')) as { pid: number }).pid;
}

/** How Node.js was started, word by word. */
const commandLineOf = (folder: string) => readFileSync(`/proc/${pidOf(folder)}/cmdline`, 'utf8').split('\0');

async function firstVerdict(service: ServiceProcess, keysFile: string) {
  const key = /sk_live_\w+/.exec(readFileSync(keysFile, 'utf8'))?.[0];
  const response = await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'someone@mailinator.com', ip: '203.0.113.7' }),
  });
  return { status: response.status, body: await response.json() };
}

/** No package that only the build needs, none missing, and none with an install script. */
function expectExactlyItsPackages(lock: Lock): void {
  const production = productionPackages(readLock(join(ROOT, 'package-lock.json')));
  const known = new Set(production.map(({ path }) => path.replace(/.*node_modules\//, '')));
  const installed = new Set(names(lock).filter((name) => name !== 'gatehouse-server'));
  expect([...installed].filter((name) => !known.has(name))).toEqual([]);
  const needed = production.filter(({ binaryOf }) => binaryOf === undefined);
  expect(needed.filter(({ path }) => !installed.has(path.replace(/.*node_modules\//, '')))).toEqual([]);
  expect(Object.values(lock.packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
}

const seconds = (milliseconds: number) => `${(milliseconds / 1e3).toFixed(1)} s`;
const report = (text: string) => process.stdout.write(`gatehouse-server, ${text}\n`);
