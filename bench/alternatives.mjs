// Alternatives, measured in the same rounds as a service and the echo: rspamd, and a self-made route.
import { fileURLToPath } from 'node:url';
import { leaveOnly, startEcho, startService, warmUp, withCost } from './contenders.mjs';
import { judgeNoise } from './doubts.mjs';
import { load } from './load.mjs';
import { watchOthers } from './machine.mjs';
import { median, print, refusals } from './measure.mjs';
import { startRspamd } from './rspamd.mjs';

const HAND_MADE = fileURLToPath(new URL('./hand-made.mjs', import.meta.url));
const CONNECTIONS = 32;

/** @param services only the first is measured */
export async function measureAlternatives({ services: [{ bin }], dns, seconds, rounds, warmUpSeconds }) {
  const echo = await startEcho();
  const route = await startEcho({ script: HAND_MADE, name: 'hand-made' });
  const service = await startService({ name: 'gatehouse', bin, dns });
  const rspamd = await startRspamd({ dns });
  if (rspamd === undefined) print('\nrspamd is not installed: left out');
  const all = [echo, route, service, rspamd].filter((contender) => contender !== undefined);
  const taken = new Map(all.map((contender) => [contender, []]));
  for (const contender of all) await warmUp(contender, all, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of all) {
      await leaveOnly(contender, all);
      const { port, requests } = contender;
      const others = watchOthers(() => [...all.flatMap(({ pid, pids }) => pids?.() ?? [pid]), dns.pid]);
      const work = () => load({ port, requests, connections: CONNECTIONS, seconds });
      const result = await withCost(contender, work);
      taken.get(contender).push({ ...result, others: others() });
    }
  }
  for (const contender of all) await contender.resume();
  await Promise.all(all.map((contender) => contender.stop()));
  const alternatives = all.map((contender) => summary(contender.name, taken.get(contender)));
  print(`\n${CONNECTIONS} connections      /s  CPU µs  p50 ms  p99 ms`);
  for (const line of alternatives) printLine(line);
  const { doubts, ...noise } = judgeNoise({
    echoes: taken.get(echo).map(({ perSecond }) => perSecond),
    others: [...taken.values()].flat().map(({ others }) => others),
    where: 'beside the alternatives',
  });
  const failures = all.flatMap((contender) => refusals(taken.get(contender), `from ${contender.name}`));
  return { alternatives, noise, doubts, failures };
}

function summary(name, results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const { perSecond, p50, p99 } = median(results, (result) => result.perSecond);
  return { name, perSecond, p50, p99, cpuMicroseconds: (sum('seconds') * 1e6) / sum('count') };
}

function printLine({ name, perSecond, cpuMicroseconds, p50, p99 }) {
  const cells = [
    perSecond.toFixed(0).padStart(8),
    cpuMicroseconds.toFixed(0).padStart(6),
    p50.toFixed(2).padStart(6),
    p99.toFixed(2).padStart(6),
  ];
  print(`${name.padEnd(14)} ${cells.join('  ')}`);
}
