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

const DOCUMENTS = ['../docs/scale.md', './README.md'].map((path) => new URL(path, import.meta.url));
const OPERATORS = [
  { perMonth: 1e6, accounts: 20 },
  { perMonth: 1e7, accounts: 100 },
  { perMonth: 1e8, accounts: 1_000 },
];

/** A day that is simulated completely and in part. */
const PLAYED_TWICE = 3e7;

const started = performance.now();
const USAGE = `npm run bench -- scale [options]
  --write   put the tables into docs/scale.md and capacity/README.md
  --check   fail where these have others`;
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

/** Each table is in one of the documents, between `<!-- name -->` and `<!-- /name -->`. */
function compare() {
  const documents = DOCUMENTS.map((url) => ({ url, text: readFileSync(url, 'utf8') }));
  const differing = [];
  for (const [name, table] of Object.entries(sections)) {
    const [before, after] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const document = documents.find(({ text }) => text.includes(before) && text.includes(after));
    if (document === undefined) throw new Error(`no document has marks for ${name}`);
    const { text } = document;
    const [from, to] = [text.indexOf(before) + before.length, text.indexOf(after)];
    if (text.slice(from, to) !== table) differing.push(name);
    document.text = text.slice(0, from) + table + text.slice(to);
  }
  if (write) for (const { url, text } of documents) writeFileSync(url, text);
  else if (differing.length > 0) {
    process.stderr.write(`these tables differ from the simulation: ${differing.join(', ')}\n`);
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
