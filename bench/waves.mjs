// Mixes waves and innocent crowds into a month of everyday signups, replays it, and prints which are stopped, from where on, and who else is touched.
import { writeFileSync } from 'node:fs';
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { print } from './measure.mjs';
import { generateMonth, toCsv, USUAL_SIZE } from './wave-parts/month.mjs';
import { replay } from './wave-parts/replay.mjs';
import { assess } from './wave-parts/results.mjs';
import { printResults } from './wave-parts/tables.mjs';

const { values } = readOptions(
  `npm run bench -- waves [--seed N] [--seeds N] [--size N] [--rows FILE]
  --seed N     the first seed, default 1: another seed has other domains, alphabets, rates and masks
  --seeds N    seeds to measure, default 1
  --size N     everyday signups of the month, default ${USUAL_SIZE}
  --rows FILE  write the rows of the seed as a CSV file with their labels, and measure nothing
  --json       for programs`,
  {
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      size: { type: 'string' },
      rows: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  },
);
const first = readCount(values.seed, 1);
const size = readCount(values.size, USUAL_SIZE);
if (values.rows !== undefined) {
  const { rows } = generateMonth({ seed: first, size });
  writeFileSync(values.rows, toCsv(rows), { mode: 0o600 });
  print(`${rows.length} rows of seed ${first} in ${values.rows}`);
  process.exit();
}

const results = [];
for (let number = 0; number < readCount(values.seeds, 1); number += 1) {
  const seed = first + number;
  const { rows } = generateMonth({ seed, size });
  const mixed = await replay(rows);
  const alone = await replay(rows.filter(({ kind }) => kind === 'everyday'));
  const result = { seed, size, ...assess(rows, mixed.decisions, alone.decisions), cost: mixed.cost };
  results.push(result);
  if (!values.json) printResults(result, print);
}
if (values.json) print(JSON.stringify(results, null, 2));
