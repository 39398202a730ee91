// Measures the cost of an assessment, compared with a bare node:http JSON echo in the same run, for docs/performance.md; fails below its floors.
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { measureAlternatives } from './alternatives.mjs';
import { startDns } from './dns.mjs';
import { format, judge, MEASURES } from './judge.mjs';
import { measureLatency } from './latency.mjs';
import { describeMachine, IS_PINNED, useCores } from './machine.mjs';
import { print } from './measure.mjs';
import { writePage } from './performance-page.mjs';
import { BIN } from './process.mjs';
import { measureMillion, measureRest } from './resident.mjs';
import { measureShared } from './shared.mjs';
import { measureStored } from './stored.mjs';
import { measureThroughput } from './throughput.mjs';

/** Each resolves to `figures` for `judge`, `doubts` that make the figures worthless, and `failures`. */
const KINDS = {
  throughput: measureThroughput,
  latency: measureLatency,
  million: measureMillion,
  idle: measureRest,
  stored: measureStored,
  shared: measureShared,
  alternatives: measureAlternatives,
};

const USAGE = `npm run bench -- [MEASURE…] [options]
  throughput       requests a second, CPU by thread, GET, bytes written; about 8 minutes; the default
  latency          at 500, 2,000 and 4,000 requests a second, and with both cores busy; about 7 minutes
  million          start and memory with a million signups of the last 24 hours; about 5 minutes
  idle             memory and CPU of a service without requests; about 2 minutes
  stored           CPU of an assessment with --stored signups stored ÷ with none; minutes for each million
  shared           on PostgreSQL and Valkey or Redis, everything on both cores; about 3 minutes
  alternatives     rspamd and a route made by hand, beside it; about 3 minutes
  --all            all measures, about half an hour; --stored 10000000 adds a quarter
  --service FILE   bin/gatehouse.js of another checkout; given twice, both are measured in the same rounds and not judged
  --seconds N      length of a round, default 5
  --rounds N       rounds, default 3; medians are shown
  --stored N       for stored, default 1000000; the floor is meant for 10000000
  --warm-up N      seconds before the first round, default 10
  --write          put what was measured into docs/performance.md
Ends with 1 if a floor is missed, with 2 if the machine was too busy to judge.`;
const number = { type: 'string' };
const { values, positionals } = readOptions(USAGE, {
  words: Object.keys(KINDS),
  options: {
    all: { type: 'boolean', default: false },
    service: { type: 'string', multiple: true, default: [BIN] },
    seconds: number,
    rounds: number,
    'warm-up': number,
    stored: number,
    write: { type: 'boolean', default: false },
  },
});
const kinds = values.all ? Object.keys(KINDS) : positionals.length > 0 ? positionals : ['throughput'];
const services = values.service.map((bin, index) => ({ bin, name: String.fromCharCode(65 + index) }));
const context = {
  services,
  seconds: readCount(values.seconds, 5),
  rounds: readCount(values.rounds, 3),
  warmUpSeconds: readCount(values['warm-up'], 10),
  stored: readCount(values.stored, 1_000_000),
};

print(describeMachine());
useCores('load');
const dns = await startDns();
const runs = {};
for (const kind of kinds) runs[kind] = await KINDS[kind]({ ...context, dns });
dns.close();
if (values.write) writePage(runs);

const results = Object.values(runs);
const of = (field) => results.flatMap((result) => result[field] ?? []);
const figures = Object.assign({}, ...results.map((result) => result.figures));
const failures = of('failures');
const doubts = [...new Set(of('doubts')), ...(IS_PINNED ? [] : ['it needs Linux, taskset and two cores'])];
if (services.length === 1) printFigures(judge(figures));
for (const failure of failures) process.stderr.write(`bench: ${failure}\n`);
if (doubts.length > 0) process.stderr.write(`bench: not judged: ${doubts.join('; ')}\n`);
process.exitCode = doubts.length > 0 ? 2 : failures.length > 0 ? 1 : 0;

function printFigures(rows) {
  const width = Math.max(...MEASURES.map(({ text }) => text.length));
  print(`\n${'measure'.padEnd(width)}    measured       floor         aim`);
  for (const row of rows) {
    const cells = [row.value, row.limits.floor, row.limits.aim].map((value) =>
      format(value, row).padStart(10),
    );
    if (doubts.length > 0) {
      print(`${row.text.padEnd(width)}  ${cells.join('  ')}  not judged`);
      continue;
    }
    print(
      `${row.text.padEnd(width)}  ${cells.join('  ')}  ${{ missed: 'MISSED', met: '', aim: 'aim' }[row.verdict]}`,
    );
    if (row.verdict === 'missed') failures.push(`${row.text}: ${format(row.value, row)} misses the floor`);
  }
}
