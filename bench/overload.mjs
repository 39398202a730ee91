// Goodput under overload: answers with 200 within three seconds, the recommended timeout of callers. Measured at the maximum rate that the service can serve and at a multiple of it, with and without refusals, from independent callers.
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { leaveOnly, startService, warmUp } from './contenders.mjs';
import { startDns } from './dns.mjs';
import { useCores, watchOthers } from './machine.mjs';
import { median, print } from './measure.mjs';
import { LEAD_SECONDS, openLoop } from './open-loop.mjs';
import { cpuSeconds } from './process.mjs';
import { untilSettled } from './settled.mjs';

/** Maximum number of simultaneous callers; a node can queue far more requests than it can answer in time. */
const CONNECTIONS = 4_000;
/** A caller that could not send its request within this time gives up. */
const PATIENCE_MS = 1_000;
const SECONDS = 8;
const ROUNDS = 3;
const FIRST_RATE = 2_000;
const STEP = 1.25;
const TIMES = 3;
const KEPT_PERCENT = 80;

const { values: options } = readOptions(
  `npm run bench -- overload [options]
  --seconds N   of each rate, default ${SECONDS}
  --rounds N    of the peak and of the overload in turns, default ${ROUNDS}
  --times N     how many times the peak, default ${TIMES}
  --peak N      the peak a second, if you know it; default: it is searched
  --bin FILE    another version's bin/gatehouse.js, for comparison`,
  {
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      times: { type: 'string' },
      peak: { type: 'string' },
      bin: { type: 'string' },
    },
  },
);
const seconds = readCount(options.seconds, SECONDS);
const rounds = readCount(options.rounds, ROUNDS);
const times = readCount(options.times, TIMES);
const dns = await startDns();
const common = { dns, ...(options.bin && { bin: options.bin }) };
const refusing = await startService({ name: 'refuses', ...common });
const patient = await startService({
  name: 'takes all',
  env: { GATEHOUSE_SHED_AFTER_MS: 'off' },
  ...common,
});
const all = [refusing, patient];
useCores('load');
const others = watchOthers(() => [refusing.pid, patient.pid, dns.pid].filter(Boolean));
for (const service of all) await warmUp(service, all, seconds);

const WIDTHS = [10, 10, 25, 8, 11, 10, 8, 9, 6, 14, 11];
print(
  cells([
    'service',
    'offered/s',
    'good/s (200 within 3 s)',
    '1 s',
    'refused/s',
    'unsent/s',
    'p50 ms',
    'good p99',
    'CPU',
    'good/CPU s',
    'load late',
  ]),
);
let peak = options.peak === undefined ? 0 : Number(options.peak);
for (let rate = FIRST_RATE; options.peak === undefined; rate *= STEP) {
  const { good } = await measure(refusing, rate);
  peak = Math.max(peak, good);
  if (good < rate * 0.9) break;
}
const results = [];
for (let round = 0; round < rounds; round += 1) {
  const best = await measure(refusing, peak);
  results.push({
    best,
    refusing: await measure(refusing, peak * times),
    taking: await measure(patient, peak * times),
  });
}
const shares = (which, by) => results.map((round) => Math.round((round[which][by] / round.best[by]) * 100));
const kept = shares('refusing', 'perCpu');
const usual = median(kept);
print(
  `at ${times} times the peak of ${Math.round(peak)}/s, ${usual}% of it were answered in time for each second of the processor (at least ${KEPT_PERCENT}%)`,
);
print(
  `rounds: ${kept.join('%, ')}%; without refusals for the processor: ${shares('taking', 'perCpu').join('%, ')}%`,
);
print(
  `each second, whatever other processes used: ${shares('refusing', 'good').join('%, ')}%; ${shares('taking', 'good').join('%, ')}%`,
);
print(`other processes used ${Math.round(others() * 100)}% of one core`);
await leaveOnly(refusing, all);
for (const service of all) {
  await service.resume();
  await service.stop();
}
dns.close();
process.exitCode = usual >= KEPT_PERCENT ? 0 : 1;

/** Answers with 200 in time: `good` per second; `perCpu` per second of CPU, because other processes may use the CPU too. */
async function measure(service, rate) {
  await leaveOnly(service, all);
  await untilSettled(service.pid, service.idle);
  const { pid, port, requests } = service;
  const [before, began] = [cpuSeconds(pid), performance.now()];
  const result = await openLoop({
    port,
    requests,
    rate: Math.round(rate),
    seconds,
    connections: CONNECTIONS,
    patienceMs: PATIENCE_MS,
  });
  const cpu = cpuSeconds(pid) - before;
  const busy = (cpu * 1_000) / (performance.now() - began);
  const good = Math.round(result.inTime / seconds);
  const perSecond = (count) => Math.round(count / (seconds + LEAD_SECONDS));
  // Other processes may use the CPU too, and this value depends on them the least. The warm-up costs CPU, so it counts too.
  const perCpu = (result.inTime * (1 + LEAD_SECONDS / seconds)) / cpu;
  print(
    cells([
      service.name,
      Math.round(rate),
      good,
      Math.round(result.good / seconds),
      perSecond(result.refused),
      perSecond(result.unsent),
      result.p50.toFixed(0),
      result.good99?.toFixed(0),
      `${Math.round(busy * 100)}%`,
      Math.round(perCpu),
      `${result.delay99.toFixed(1)} ms`,
    ]),
  );
  return { good, perCpu };
}

function cells(texts) {
  return texts.map((text, at) => String(text).padStart(WIDTHS[at])).join('');
}
