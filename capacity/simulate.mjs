// The capacity model of docs/scale.md: days with 10 million to a thousand million assessments in 10,000 accounts, simulated
// with the costs of bench/costs.json. Prints the document's tables; `--write` writes them there, `--check` fails if they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { print } from '../bench/measure.mjs';
import { readOptions } from '../scripts/read-options.mjs';
import { makeAccounts } from './accounts.mjs';
import { findLimits, sizeFor } from './limits.mjs';
import { replayTable } from './replay-table.mjs';
import {
  creditsTable,
  engineTable,
  hotTable,
  inputTable,
  limitTable,
  operatorTable,
  volumeTable,
} from './tables.mjs';
import { partOfWhole, simulateVolume } from './volume.mjs';

const DOCUMENT = new URL('../docs/scale.md', import.meta.url);
const OPERATORS = [
  { perMonth: 1e6, accounts: 20 },
  { perMonth: 1e7, accounts: 100 },
  { perMonth: 1e8, accounts: 1_000 },
];

/** A day that is simulated completely and in part. */
const PLAYED_TWICE = 3e7;

const started = performance.now();
const USAGE = `npm run bench -- scale [options]
  --write   put the tables into docs/scale.md
  --check   fail where docs/scale.md has others`;
const { write, check } = readOptions(USAGE, {
  options: { write: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
}).values;
const costs = readJson('../bench/costs.json');
const assumptions = readJson('assumptions.json');
const accounts = makeAccounts(assumptions);

const sized = assumptions.volumes.map((perDay) => {
  const volume = simulateVolume({ accounts, perDay, costs, assumptions });
  const size = sizeFor({ volume, accounts, costs, assumptions });
  note(`${perDay / 1e6} million a day`);
  return { volume, size };
});
const limits = findLimits({ volumes: sized.map(({ volume }) => volume), accounts, costs, assumptions });
const operators = OPERATORS.map(({ perMonth, accounts: count }) => {
  const operatorAssumptions = { ...assumptions, accounts: count, largestShare: 0.25 };
  return simulateVolume({
    accounts: makeAccounts(operatorAssumptions),
    perDay: perMonth / 30,
    costs,
    assumptions: operatorAssumptions,
  });
});
note('the limits');
const part = partOfWhole({ accounts, perDay: PLAYED_TWICE, costs, assumptions });
note('a day in part');

const sections = {
  inputs: inputTable(costs),
  volumes: volumeTable(sized),
  sampling: `A day of ${PLAYED_TWICE / 1e6} million was simulated in both ways: with samples it takes ${part.toFixed(3)} of the memory that it takes attempt by attempt.`,
  limits: limitTable(limits),
  credits: creditsTable(limits),
  engines: engineTable(sized),
  hot: hotTable(sized),
  operators: operatorTable(operators),
  replay: replayTable(readJson('../bench/replay.json')),
};
if (!write && !check) for (const [name, text] of Object.entries(sections)) print(`## ${name}\n\n${text}\n`);
else compare();

/** The tables are in the document between `<!-- name -->` and `<!-- /name -->`. */
function compare() {
  let document = readFileSync(DOCUMENT, 'utf8');
  const differing = [];
  for (const [name, text] of Object.entries(sections)) {
    const [before, after] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const [from, to] = [document.indexOf(before) + before.length, document.indexOf(after)];
    if (!document.includes(before) || to < from) throw new Error(`docs/scale.md has no marks for ${name}`);
    if (document.slice(from, to) !== text) differing.push(name);
    document = document.slice(0, from) + text + document.slice(to);
  }
  if (write) writeFileSync(DOCUMENT, document);
  else if (differing.length > 0) {
    process.stderr.write(`docs/scale.md differs from the simulation: ${differing.join(', ')}\n`);
    process.exitCode = 1;
  }
}

function readJson(name) {
  return JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));
}

function note(what) {
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const megabytes = (process.memoryUsage().rss / 1e6).toFixed(0);
  process.stderr.write(`${what}: ${seconds} s, ${megabytes} MB\n`);
}
