// What velocity takes of a process's memory when it is full, the CPU of its calls and of the slowest ones, and of counting
// stored attempts again after a restart. One process of its own for each case: `npm run bench:memory [-- MB]`.
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { createMemoryCounters } from '../dist/counters/memory.js';

const MIB = 1024 * 1024;
const CASES = [1, 100, 50_000];
const START = Date.UTC(2026, 4, 10);
/** In a day, whatever their number. */
const DAY_MS = 86_400_000;
const SELF = new URL(import.meta.url).pathname;

const [megabytes = '256', accounts] = process.argv.slice(2);
if (accounts === undefined) tell();
else await measure(Number(megabytes), Number(accounts));

function tell() {
  process.stdout.write(
    `velocity bound to ${megabytes} MB, every key unique, until it has been full for a while\n\n`,
  );
  process.stdout.write(
    'accounts  attempts held  own count  heap + buffers  RSS  µs a call  slowest 3  restore of 1.2 M\n',
  );
  for (const count of CASES) {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--expose-gc', SELF, megabytes, String(count)],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    const { held, own, real, rss, microseconds, slowest, restored } = JSON.parse(stdout);
    process.stdout.write(
      `${count}  ${held}  ${own} MB  ${real} MB  ${rss} MB  ${microseconds}  ${slowest.join(', ')} ms  ${restored} s\n`,
    );
  }
}

async function measure(bound, count) {
  const before = await settled();
  const counters = createMemoryCounters({ maxVelocityBytes: bound * MIB });
  // All keys unique take 140 bytes an attempt: one and a half times what fits.
  const attempts = Math.round((bound * MIB * 1.5) / 140);
  const slowest = [];
  const began = cpuMilliseconds();
  for (let index = 0; index < attempts; index += 1) {
    const attempt = attemptOf(index, index % count, (index / attempts) * DAY_MS);
    const started = cpuMilliseconds();
    counters.arrive({ bucket: attempt.account, window: null, credit: null, attempt });
    noteSlowest(slowest, cpuMilliseconds() - started);
  }
  const microseconds = ((cpuMilliseconds() - began) * 1000) / attempts;
  const after = await settled();
  const { attempts: held, velocityBytes } = counters.size();
  const restoring = cpuMilliseconds();
  await createMemoryCounters({ maxVelocityBytes: bound * MIB }).restore(stored(1_200_000, count));
  const restored = (cpuMilliseconds() - restoring) / 1000;
  const mb = (bytes) => Math.round(bytes / MIB);
  process.stdout.write(
    JSON.stringify({
      held,
      own: mb(velocityBytes),
      real: mb(after.real - before.real),
      rss: mb(after.rss - before.rss),
      microseconds: microseconds.toFixed(1),
      slowest: slowest.map((one) => one.toFixed(1)),
      restored: restored.toFixed(1),
    }),
  );
}

/** What the process used itself: others on the machine do not show. */
function cpuMilliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function* stored(attempts, count) {
  for (let index = 0; index < attempts; index += 1)
    yield attemptOf(index, index % count, (index / attempts) * DAY_MS);
}

function attemptOf(index, account, ms) {
  const hash = `${'a1B2c3D4e5F6'.slice(index % 7)}${String(index).padStart(16, '0')}`;
  return {
    id: `req_${index}`,
    account: `acc_${String(account).padStart(26, '0')}`,
    at: START + Math.floor(ms),
    network: `203.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    domain: `company-${index}.example.com`,
    address: hash,
    mailbox: hash,
  };
}

function noteSlowest(slowest, milliseconds) {
  if (slowest.length < 3) slowest.push(milliseconds);
  else if (milliseconds > slowest[2]) slowest[2] = milliseconds;
  else return;
  slowest.sort((one, other) => other - one);
}

async function settled() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await setTimeout(20);
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { real: heapUsed + arrayBuffers, rss };
}
