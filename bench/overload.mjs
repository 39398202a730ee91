// Goodput under overload: answers of 200 within a second, at the rate that the service can just keep up with and at a multiple of it, from callers who do not wait for each other.
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { startService, warmUp } from './contenders.mjs';
import { startDns } from './dns.mjs';
import { useCores, watchOthers } from './machine.mjs';
import { print } from './measure.mjs';
import { openLoop } from './open-loop.mjs';
import { untilSettled } from './settled.mjs';

/** Callers whose requests may be under way at once; a node's processor can queue far more than it can answer in time. */
const CONNECTIONS = 4_000;
/** A caller that could not even send its request gives up. */
const PATIENCE_MS = 1_000;
const SECONDS = 8;
const FIRST_RATE = 1_000;
const STEP = 1.25;
const TIMES = 3;
const KEPT_PERCENT = 80;

const { values: options } = readOptions(
  `npm run bench:overload -- [options]
  --seconds N   of each rate, default ${SECONDS}
  --bin FILE    another version's bin/gatehouse.js, for comparison`,
  { options: { seconds: { type: 'string' }, bin: { type: 'string' } } },
);
const seconds = readCount(options.seconds, SECONDS);
const dns = await startDns();
const service = await startService({ name: 'gatehouse', dns, ...(options.bin && { bin: options.bin }) });
useCores('load');
const others = watchOthers(() => [service.pid, dns.pid].filter(Boolean));
await warmUp(service, [service], seconds);

print('   offered/s  good/s (200 within 1 s)   refused/s   p50 ms   p99 ms');
let peak = 0;
for (let rate = FIRST_RATE; ; rate *= STEP) {
  const good = await measure(Math.round(rate));
  peak = Math.max(peak, good);
  if (good < rate * 0.9) break;
}
const overloaded = await measure(Math.round(peak * TIMES));
const kept = Math.round((overloaded / peak) * 100);
print(
  `at ${TIMES} times the peak of ${peak}/s, ${kept}% of it were answered in time (at least ${KEPT_PERCENT}%)`,
);
print(`other processes used ${Math.round(others() * 100)}% of one core`);
await service.stop();
dns.close();
process.exitCode = kept >= KEPT_PERCENT ? 0 : 1;

/** Answers of 200 within a second, each second. */
async function measure(rate) {
  await untilSettled(service.pid, service.idle);
  const { port, requests } = service;
  const result = await openLoop({
    port,
    requests,
    rate,
    seconds,
    connections: CONNECTIONS,
    patienceMs: PATIENCE_MS,
  });
  const good = Math.round(result.good / seconds);
  const cells = [
    rate,
    good,
    Math.round(result.refused / (seconds + 2)),
    result.p50.toFixed(1),
    result.p99.toFixed(1),
  ];
  const widths = [12, 25, 12, 9, 9];
  print(cells.map((cell, at) => String(cell).padStart(widths[at])).join(''));
  return good;
}
