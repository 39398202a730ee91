// Latency at a fixed number of requests a second, first of the echo, then of each service: on a quiet machine, and while other processes keep both cores busy.
import { spawn } from 'node:child_process';
import { ownChild } from './clean-up.mjs';
import { leaveOnly, startEcho, startService, warmUp } from './contenders.mjs';
import { judgeNoise, worstNoise } from './doubts.mjs';
import { BUSY_LOOPS, watchOthers } from './machine.mjs';
import { median, print } from './measure.mjs';
import { checkGenerator, openLoop } from './open-loop.mjs';
import { untilSettled } from './settled.mjs';

const RATES = [500, 2_000, 4_000];
/** The rate that has limits. */
const RATE = 2_000;
const FIELDS = ['p50', 'p99', 'p999', 'worst'];

/** @param services `{ name, bin }` each; if there are several, they are not judged and have no figures */
export async function measureLatency({ services, dns, seconds, rounds, warmUpSeconds }) {
  const echo = await startEcho();
  const started = [];
  for (const service of services) started.push(await startService({ ...service, dns }));
  const all = [echo, ...started];
  const blindness = await checkGenerator(echo.requests);
  const doubts = blindness === undefined ? [] : [`the generator of load is blind: ${blindness}`];
  const failures = [];
  const noises = [];
  for (const contender of all) await warmUp(contender, all, warmUpSeconds);
  const runs = [...RATES.map((rate) => ({ rate, isBusy: false })), { rate: RATE, isBusy: true }];
  const lines = [];
  print(`\nfrom when a request was due, ms       p50      p99    p99.9    worst`);
  for (const run of runs) {
    const results = await measureRate(run, { all, rounds, seconds, dns });
    for (const { contender, others, broken, ...line } of results) {
      lines.push({ ...run, name: contender.name, isService: contender.isService, ...line });
      printLine(lines.at(-1));
      const where = `${contender.name} at ${run.rate}/s`;
      if (!run.isBusy) noises.push(judgeNoise({ others, where }));
      if (broken > 0) failures.push(`${broken} requests without an answer of 200, ${where}`);
    }
  }
  await leaveOnly(echo, all);
  for (const contender of all) await contender.resume();
  await Promise.all(all.map((contender) => contender.stop()));
  return {
    ...(services.length === 1 && { figures: figuresOf(lines), latencies: lines }),
    noise: worstNoise(noises),
    doubts: [...doubts, ...noises.flatMap((noise) => noise.doubts)],
    failures,
  };
}

/** Medians of rounds in which each contender runs while the others are stopped. */
async function measureRate({ rate, isBusy }, { all, rounds, seconds, dns }) {
  const taken = new Map(all.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of all) {
      await leaveOnly(contender, all);
      if (contender.isService) await untilSettled(contender.pid, contender.idle);
      const others = watchOthers(() => [...all.map(({ pid }) => pid), dns.pid]);
      const loops = isBusy ? BUSY_LOOPS.map(startLoop) : [];
      const { port, requests } = contender;
      const result = await openLoop({ port, requests, rate, seconds });
      for (const loop of loops) loop.kill();
      taken.get(contender).push({ ...result, others: others() });
    }
  }
  return all.map((contender) => {
    const results = taken.get(contender);
    const middles = FIELDS.map((field) => [field, median(results, (result) => result[field])[field]]);
    return {
      contender,
      ...Object.fromEntries(middles),
      others: results.map(({ others }) => others),
      broken: results.reduce((sum, { unanswered, refused }) => sum + unanswered + refused, 0),
    };
  });
}

/**
 * In a session of its own, as other programs are: Linux shares a core between sessions first. In one session with all of
 * this, it also took the core from the kernel's thread that flushes the disk, for 5 ms at each commit.
 */
function startLoop([command, ...args]) {
  return ownChild(spawn(command, args, { stdio: 'ignore', detached: true }));
}

function figuresOf(lines) {
  const find = (isService, isBusy) =>
    lines.find((line) => line.isService === isService && line.rate === RATE && line.isBusy === isBusy);
  const figure = (field, isBusy) => ({ value: find(true, isBusy)[field], echo: find(false, isBusy)[field] });
  return {
    'p99-2000': figure('p99', false),
    'worst-2000': figure('worst', false),
    'busy-p99-2000': figure('p99', true),
    'busy-worst-2000': figure('worst', true),
  };
}

function printLine({ rate, isBusy, name, ...line }) {
  const cells = FIELDS.map((field) => line[field].toFixed(2).padStart(8));
  print(
    `${String(rate).padStart(5)}/s ${isBusy ? 'cores busy' : '          '} ${name.padEnd(12)} ${cells.join(' ')}`,
  );
}
