/** The basis of the figures in bench/: waiting callers are counted, threads are told apart, and limits are kept or missed. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const BENCH = resolve(import.meta.dirname, '../bench');
const load = (name: string) => import(join(BENCH, `${name}.mjs`));
const makesThreads = process.platform === 'linux';

// `npm run bench -- latency` checks this itself, before it measures.
it('the open-loop load shows a server that stopped for a moment, to more callers than it has connections', async () => {
  const script = `
    const { checkGenerator } = await import('./open-loop.mjs');
    const { makeRequests } = await import('./measure.mjs');
    process.stdout.write(String(await checkGenerator(makeRequests('key', 1_000))));`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: BENCH });
  expect(stdout).toBe('undefined');
});

it.runIf(makesThreads)('names the threads of a process by what they run', async () => {
  const { threadSeconds } = await load('threads');
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-threads-'));
  const file = join(directory, 'threads');
  const busy = 'for (const end = Date.now() + 50; Date.now() < end; );';
  writeFileSync(
    join(directory, 'writer-of-rows.mjs'),
    `import { parentPort } from 'node:worker_threads'; ${busy} parentPort.on('message', () => {}).postMessage('up');`,
  );
  writeFileSync(
    join(directory, 'main.mjs'),
    `import { Worker } from 'node:worker_threads';
    new Worker(new URL('./writer-of-rows.mjs', import.meta.url)).once('message', () => console.log('up'));`,
  );
  const child = spawn(
    process.execPath,
    ['--require', join(BENCH, 'note-threads.cjs'), join(directory, 'main.mjs')],
    { env: { ...process.env, BENCH_THREADS: file }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  const seconds = threadSeconds(child.pid, file);
  child.kill();
  rmSync(directory, { recursive: true });
  expect(seconds).toMatchObject({ main: expect.any(Number), V8: expect.any(Number) });
  expect(seconds['writer-of-rows']).toBeGreaterThan(0);
});

it('a figure misses its floor, keeps it, or reaches its aim; some limits depend on the echo', async () => {
  const { judge } = await load('judge');
  const verdict = (id: string, value: number, echo?: number) => judge({ [id]: { value, echo } })[0].verdict;
  expect([0.35, 0.36, 0.55].map((value) => verdict('ratio-32', value))).toEqual(['missed', 'met', 'aim']);
  expect([2_001, 2_000, 1_000].map((value) => verdict('disk-32', value))).toEqual(['missed', 'met', 'aim']);
  expect([35, 25, 17].map((value) => verdict('busy-p99-2000', value, 10))).toEqual(['missed', 'met', 'aim']);
});

it('nothing is judged if the echo varies or others use the cores', async () => {
  const { judgeNoise } = await load('doubts');
  const doubts = (echoes: number[], others: number[]) => judgeNoise({ echoes, others, where: 'here' }).doubts;
  expect(doubts([50_000, 52_000, 55_000], [0.02, 0.1])).toEqual([]);
  expect(doubts([50_000, 52_000, 59_000], [0.1])).toEqual(["the echo's rounds differ by 17% here"]);
  expect(doubts([50_000], [0.02, 0.5])).toEqual(['other processes used 50% of a core here']);
});

// It only ends what hangs: some seconds of processor time, beside other tests.
it('recognises as many throw-away domains by their mail host as the document says', {
  timeout: 600_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(BENCH, 'mail-hosts.mjs')]);
  expect(stdout).toMatch(/^\| 30% \| \d\d\.\d% \| \d\d\.\d% \|$/m);
  expect(readFileSync(resolve(BENCH, '../docs/mail-hosts.md'), 'utf8')).toContain(stdout);
});
