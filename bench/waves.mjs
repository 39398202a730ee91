// Mixes waves and innocent crowds into a month of everyday signups, replays it, and prints which are stopped, from where on, and who else is touched; fails below its floors.
import { writeFileSync } from 'node:fs';
import { RULES } from '../dist/signup/policy.js';
import { writeTable } from '../scripts/figures-table.mjs';
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { print } from './measure.mjs';
import { judgeCost, judgeResult } from './wave-parts/floors.mjs';
import { chooseLive, sendLive } from './wave-parts/live.mjs';
import { mirrorMonth } from './wave-parts/mirror-month.mjs';
import { generateMonth, toCsv, USUAL_SIZE } from './wave-parts/month.mjs';
import { sumUp, sumUpParts } from './wave-parts/sum-up.mjs';
import { printResult, toDocument } from './wave-parts/tables.mjs';

/** The burden on everybody else is measured against a service without these. */
const WAVE_DETECTORS = RULES.map(({ detector }) => detector).filter((name) => /campaign|wave/.test(name));

const { values } = readOptions(
  `npm run bench -- waves [options]
  --seed N       the first seed, default 1: another seed has other domains, alphabets, rates and masks
  --seeds N      seeds to measure, default 1; half a minute each
  --size N       everyday signups of the month, default ${USUAL_SIZE}
  --mirror-only  leave out the second step: three waves and three crowds through the running service, about a minute
  --rows FILE    write the rows of the seed as a CSV file with their labels, and measure nothing
  --json         for programs
  --write        put what was measured into docs/waves.md
Ends with 1 if a floor is missed.`,
  {
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      size: { type: 'string' },
      'mirror-only': { type: 'boolean', default: false },
      rows: { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  },
);
const firstSeed = readCount(values.seed, 1);
const size = readCount(values.size, USUAL_SIZE);
if (values.rows !== undefined) {
  const { rows } = generateMonth({ seed: firstSeed, size });
  writeFileSync(values.rows, toCsv(rows), { mode: 0o600 });
  print(`${rows.length} rows of seed ${firstSeed} in ${values.rows}`);
  process.exit();
}

const results = [];
for (let number = 0; number < readCount(values.seeds, 1); number += 1) {
  const result = await measure(firstSeed + number, number === 0 && !values['mirror-only']);
  results.push(result);
  if (!values.json) printResult(result, print);
}
if (values.json) print(JSON.stringify(results, null, 2));
if (values.write) for (const [name, text] of Object.entries(toDocument(results))) writeTable(name, text);

const missed = results.flatMap((result) =>
  [...judgeResult(result), ...judgeCost(result.cost, result.rows)]
    .filter(({ verdict }) => verdict === 'missed')
    .map(({ text }) => `seed ${result.seed}: ${text}`),
);
for (const text of missed) process.stderr.write(`bench: missed: ${text}\n`);
process.exitCode = missed.length > 0 ? 1 : 0;

async function measure(seed, isLive) {
  const { rows, zone } = generateMonth({ seed, size });
  const { decisions, cost } = await mirrorMonth(rows);
  const people = rows.filter(({ kind }) => kind === 'everyday');
  const without = await mirrorMonth(
    people,
    WAVE_DETECTORS.flatMap((detector) => ['--weight', `${detector}=0`]),
  );
  const result = { seed, size, ...sumUp(rows, decisions, without.decisions), cost };
  if (!isLive) return result;
  const sent = chooseLive(rows);
  return { ...result, live: sumUpParts(sent, await sendLive(sent, zone)) };
}
