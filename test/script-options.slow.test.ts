/** Scripts that run for minutes, attack or write: they print their usage, and do nothing if an option is unknown. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BENCHES } from '../bench/benches.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const NAMES = ['attacks', 'burst', 'costs', 'history', 'intel', 'memory', 'removals', 'replay', 'run'];
const SCRIPTS = [
  ...NAMES.map((name) => `bench/${name}.mjs`),
  'capacity/simulate.mjs',
  'scripts/reliability.mjs',
  'scripts/dev.mjs',
  'scripts/test-all.mjs',
  'demo/run.mjs',
];
const MAX_MS = 60_000;

interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<CommandResult> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      args,
      { cwd: ROOT, timeout: MAX_MS, killSignal: 'SIGTERM' },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        done({ status, stdout, stderr });
      },
    );
  });
}

describe.each(SCRIPTS)('%s', (script) => {
  it.concurrent('refuses an unknown option in one line', async () => {
    const { status, stdout, stderr } = await run(script, '--no-such-option');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe("Unknown option '--no-such-option'; --help shows the usage\n");
  });
});

it.each(['bench/attacks.mjs', 'scripts/reliability.mjs'])('%s prints its usage', async (script) => {
  const { status, stdout, stderr } = await run(script, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^npm run [a-z]+ -- /);
});

describe('npm run bench', () => {
  const bench = 'bench/bench.mjs';

  it('lists everything in bench that takes options', async () => {
    const names = readdirSync(join(ROOT, 'bench')).filter((name) => name.endsWith('.mjs'));
    const withOptions = names.filter((name) =>
      /readOptions\(/.test(readFileSync(join(ROOT, 'bench', name), 'utf8')),
    );
    const elsewhere = ['attacks.mjs', 'run.mjs'];
    const listed = Object.values(BENCHES).map(({ file }) => file);
    const expected = withOptions.filter((name) => !elsewhere.includes(name)).map((name) => `bench/${name}`);
    expect(listed.toSorted()).toEqual([...expected, 'capacity/simulate.mjs'].toSorted());
    const { stdout } = await run(bench, '--help');
    for (const name of ['throughput', 'shared', ...Object.keys(BENCHES)])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it.concurrent.each(Object.keys(BENCHES))('explains %s', async (name) => {
    const { status, stdout } = await run(bench, name, '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^npm run bench -- ${name}\\b`));
  });

  it('refuses a name that is none', async () => {
    const { status, stderr } = await run('bench/run.mjs', 'politeness');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^'politeness' is not one of throughput, .*--help shows the usage\n$/);
  });
});

it('refuses a word that is neither a count nor an attack', async () => {
  const [count, attack] = await Promise.all([
    run('bench/history.mjs', 'many'),
    run('bench/attacks.mjs', 'politeness'),
  ]);
  expect(count).toMatchObject({ status: 2, stderr: "'many' is not a count; --help shows the usage\n" });
  expect(attack).toMatchObject({ status: 2, stdout: '' });
  expect(attack.stderr).toMatch(/^'politeness' is not one of [a-z-]+, .*\n$/);
});

it('an attack that is stopped leaves no service and no folder behind', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ended-'));
  const child = spawn(process.execPath, ['bench/attacks.mjs', 'half-closed'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The service writes to the same stderr, which is closed when both have ended.
  const closed = new Promise((done) => child.once('close', done));
  child.stdout.resume();
  child.stderr.resume();
  const hasStarted = () =>
    readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('service.lock'));
  while (!hasStarted() && child.exitCode === null) await sleep(5);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  await closed;
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
