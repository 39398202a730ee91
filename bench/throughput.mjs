// Requests a second and CPU per assessment, divided by those of a bare echo. Contenders alternate in rounds; each runs alone, and its work after the last answer counts too.
import { leaveOnly, startEcho, startService, warmUp, withCost } from './contenders.mjs';
import { judgeNoise, percent, worstNoise } from './doubts.mjs';
import { load } from './load.mjs';
import { watchOthers } from './machine.mjs';
import { median } from './measure.mjs';
import { storedRequests } from './stored-requests.mjs';
import { printComparison, printThroughput } from './throughput-table.mjs';

export const CONNECTIONS = [1, 32, 128];
/** Number of connections for GET and for the written bytes. */
const MIDDLE = 32;
/** The last round also counts work that begins late. */
const LAST_SETTLE_SECONDS = 20;
/** Its CPU of a request: a slower processor or a cold cache costs everybody more. */
const MAX_ECHO_COST_SPREAD = 0.2;
/** An echo with a whole core uses all of it. */
const MIN_ECHO_SHARE = 0.85;

/** @param services `{ name, bin }` each; if there are several, they are not judged and have no figures */
export async function measureThroughput({ services, dns, seconds, rounds, warmUpSeconds }) {
  const echo = await startEcho();
  const started = [];
  for (const service of services) started.push(await startService({ ...service, dns }));
  const all = [echo, ...started];
  const pids = () => [...all.map(({ pid }) => pid), dns.pid];
  for (const contender of all) await warmUp(contender, all, warmUpSeconds);
  const gets = new Map();
  for (const service of started) {
    await leaveOnly(service, all);
    gets.set(service, await storedRequests(service));
  }
  const lines = [];
  for (const connections of CONNECTIONS) {
    const taken = [];
    for (let round = 1; round <= rounds; round += 1) {
      const isLast = round === rounds && connections === CONNECTIONS.at(-1);
      const run = { seconds, connections, all, pids, settleSeconds: isLast ? LAST_SETTLE_SECONDS : 0 };
      const yardstick = await runAlone(echo, run);
      for (const service of started) {
        const ours = await runAlone(service, run);
        const requests = connections === MIDDLE ? gets.get(service) : undefined;
        const get = requests && (await runAlone(service, { ...run, requests }));
        taken.push({ service, yardstick, ours, get });
      }
    }
    for (const service of started) {
      const line = summary(
        taken.filter((part) => part.service === service),
        { connections, seconds },
      );
      lines.push({ service: service.name, ...line });
      printThroughput(lines.at(-1));
    }
    printComparison(lines.slice(-started.length));
  }
  for (const contender of all) await contender.resume();
  await Promise.all(all.map((contender) => contender.stop()));
  return {
    figures: services.length === 1 ? figuresOf(lines) : {},
    noise: worstNoise(lines.map(({ noise }) => noise)),
    doubts: lines.flatMap(({ doubts }) => doubts),
    failures: lines.flatMap(refusals),
  };
}

function figuresOf(lines) {
  const at = (connections) => lines.find((line) => line.connections === connections);
  return {
    'ratio-32': ratioOf(at(32)),
    'ratio-128': ratioOf(at(128)),
    'cpu-32': { value: at(32).cpuRatio },
    'cpu-128': { value: at(128).cpuRatio },
    'get-32': { value: at(MIDDLE).getRatio },
    'disk-32': { value: at(MIDDLE).bytes },
  };
}

function ratioOf({ ratio, ratios }) {
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
  return { value: ratio, note: `rounds: ${least} to ${most}` };
}

function refusals({ service, refused, connections }) {
  return refused === 0 ? [] : [`${service}: ${refused} answers other than 200 at ${connections} connections`];
}

async function runAlone(contender, { all, pids, connections, seconds, settleSeconds, requests }) {
  await leaveOnly(contender, all);
  const others = watchOthers(pids);
  const batches = await readBatches(contender);
  const { port } = contender;
  const work = () => load({ port, requests: requests ?? contender.requests, connections, seconds });
  const result = await withCost(contender, work, { settleSeconds });
  const after = await readBatches(contender);
  const batch = (after.jobs - batches.jobs) / (after.batches - batches.batches);
  return { ...result, others: others(), batch };
}

/** The median of requests a second; CPU and bytes are totals of all rounds, because later work comes at irregular times. */
function summary(rounds, { connections, seconds }) {
  const sum = (of) => rounds.reduce((total, round) => total + of(round), 0);
  const ofOurs = (field) => sum(({ ours }) => ours[field]);
  const microseconds = (field) =>
    (sum((round) => round[field].seconds) * 1e6) / sum((round) => round[field].count);
  const withRatio = rounds.map((round) => ({
    ...round,
    ratio: round.ours.perSecond / round.yardstick.perSecond,
  }));
  const { yardstick, ours, ratio } = median(withRatio, (round) => round.ratio);
  const names = [...new Set(rounds.flatMap(({ ours: { threads } }) => Object.keys(threads)))];
  const gets = rounds.filter(({ get }) => get !== undefined);
  return {
    connections,
    ratio,
    ratios: withRatio.map((round) => round.ratio),
    perSecond: ours.perSecond,
    p50: ours.p50,
    p99: ours.p99,
    echoPerSecond: yardstick.perSecond,
    cpuMicroseconds: microseconds('ours'),
    echoMicroseconds: microseconds('yardstick'),
    cpuRatio: microseconds('ours') / microseconds('yardstick'),
    threads: Object.fromEntries(
      names.map((name) => [
        name,
        (sum(({ ours: { threads } }) => threads[name] ?? 0) * 1e6) / ofOurs('count'),
      ]),
    ),
    batch: median(rounds, (round) => round.ours.batch).ours.batch,
    bytes: ofOurs('written') / ofOurs('count'),
    owedSeconds: Math.max(...rounds.map((round) => round.ours.waitedSeconds)),
    getRatio:
      gets.length === 0
        ? undefined
        : median(
            gets.map((round) => ({ value: round.get.perSecond / round.yardstick.perSecond })),
            ({ value }) => value,
          ).value,
    refused: sum(({ ours: { refused }, get }) => refused + (get?.refused ?? 0)),
    ...noiseOf(rounds, connections, seconds),
  };
}

/** How quiet the machine was, and why these rounds may say nothing about the service. */
function noiseOf(rounds, connections, seconds) {
  const where = `at ${connections} connections`;
  const echoes = rounds.map(({ yardstick }) => yardstick);
  const { doubts, ...noise } = judgeNoise({
    echoes: echoes.map(({ perSecond }) => perSecond),
    others: rounds.flatMap(({ yardstick, ours }) => [yardstick.others, ours.others]),
    where,
  });
  const share = Math.min(...echoes.map((echo) => echo.seconds / seconds));
  if (connections >= MIDDLE && share < MIN_ECHO_SHARE)
    doubts.push(`the echo got only ${percent(share)} of its core ${where}`);
  const costs = echoes.map((echo) => echo.seconds / echo.count);
  const costSpread = Math.max(...costs) / Math.min(...costs) - 1;
  if (costSpread > MAX_ECHO_COST_SPREAD)
    doubts.push(`the echo's CPU of a request differs by ${percent(costSpread)} ${where}`);
  if (rounds.some(({ ours }) => !ours.isSettled)) doubts.push(`the service did not come to rest ${where}`);
  return { noise, doubts };
}

async function readBatches({ port, isService }) {
  if (!isService) return { jobs: 0, batches: 0 };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const field = (name) =>
    Number(new RegExp(`^gatehouse_commit_batch_size_${name}\\S* (\\S+)`, 'm').exec(text)?.[1]);
  return { jobs: field('sum'), batches: field('count') };
}
