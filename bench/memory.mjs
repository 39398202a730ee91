// The memory of velocity when it is full, the CPU time of its calls and of the slowest ones, and the time to count stored attempts again after a restart. A separate process for each case: `npm run bench -- memory [MB]`.
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { createMemoryCounters } from '../dist/velocity/memory/memory.js';
import { readCount, readOptions } from '../scripts/read-options.mjs';

const MIB = 1024 * 1024;
const CASES = [1, 100, 50_000];
const RESTORED = 1_200_000;
const CHUNK = 2_000;
const START = Date.UTC(2026, 4, 10);
/** Nothing expires within a day. */
const STEP_MS = 0.01;
const SELF = new URL(import.meta.url).pathname;
const COLUMNS = [
  'accounts',
  'attempts',
  'own count',
  'heap+buffers',
  'RSS',
  'CPU µs',
  'restore s',
  'slowest ms',
];

const USAGE = 'npm run bench -- memory [MB]\n  MB   what velocity may take, default 256';
// Its child processes also get the case as arguments.
const { positionals } = readOptions(USAGE, { words: 3 });
const megabytes = readCount(positionals[0], 256);
const [, accounts, restoring] = positionals;
if (accounts === undefined) printFigures();
else await measure(megabytes * MIB, Number(accounts), restoring === 'restore');

function printFigures() {
  print(`velocity bound to ${megabytes} MB, every key unique, filled until a third as much was evicted`);
  print(COLUMNS.map((name) => name.padStart(16)).join(''));
  for (const count of CASES) {
    const args = ['--expose-gc', SELF, String(megabytes), String(count), 'restore'];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const { held, ownBytes, realBytes, rssBytes, microseconds, restoreSeconds, slowest } = JSON.parse(stdout);
    const sizes = [ownBytes, realBytes, rssBytes].map((bytes) => `${Math.round(bytes / MIB)} MB`);
    const times = [
      microseconds.toFixed(1),
      restoreSeconds.toFixed(1),
      slowest.map((milliseconds) => milliseconds.toFixed(1)),
    ];
    print([count, held, ...sizes, ...times].map((cell) => String(cell).padStart(16)).join(''));
  }
}

/** Prints the memory and time that this process needs for the case, as JSON. */
async function measure(maxVelocityBytes, count, restoreToo) {
  const before = await settled();
  const counters = createMemoryCounters({ maxVelocityBytes });
  const slowest = [];
  const began = cpuMilliseconds();
  let calls = 0;
  for (let size = counters.size(); size.forgotten < size.attempts / 3 || size.attempts === 0; calls += 1) {
    const event = eventOf(calls, count);
    const started = cpuMilliseconds();
    counters.checkAndCount({ bucket: event.account, window: null, credit: null, event });
    noteSlowest(slowest, cpuMilliseconds() - started);
    if (calls % 1_000 === 0) size = counters.size();
  }
  const microseconds = ((cpuMilliseconds() - began) * 1_000) / calls;
  const after = await settled();
  const { attempts: held, velocityBytes: ownBytes } = counters.size();
  const restoring = cpuMilliseconds();
  if (restoreToo) await createMemoryCounters({ maxVelocityBytes }).restore(stored(count));
  print(
    JSON.stringify({
      held,
      ownBytes,
      realBytes: after.real - before.real,
      rssBytes: after.rss - before.rss,
      microseconds,
      restoreSeconds: (cpuMilliseconds() - restoring) / 1_000,
      slowest,
    }),
  );
}

function* stored(count) {
  for (let from = 0; from < RESTORED; from += CHUNK)
    yield Array.from({ length: CHUNK }, (_, index) => eventOf(from + index, count));
}

function eventOf(index, count) {
  const hash = `${'a1B2c3D4e5F6'.slice(index % 7)}${String(index).padStart(16, '0')}`;
  return {
    id: `req_${index}`,
    account: `acc_${String(index % count).padStart(26, '0')}`,
    at: START + Math.floor(index * STEP_MS),
    network: `203.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    domain: `company-${index}.example.com`,
    addressHash: hash,
    mailbox: hash,
  };
}

/** Keeps the three slowest. */
function noteSlowest(slowest, milliseconds) {
  if (slowest.length === 3 && milliseconds <= slowest[2]) return;
  slowest.push(milliseconds);
  slowest.sort((a, b) => b - a);
  slowest.splice(3);
}

/** The CPU time of this process only. */
function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function settled() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await setTimeout(20);
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { real: heapUsed + arrayBuffers, rss };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
