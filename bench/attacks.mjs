// Runs attacks, each on its own built service on loopback, and reports whether the service resisted. Each file in `attacks` has:
// the attack, the behaviour of an earlier version, and `run`, which resolves to the observations and the failures.
import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { measuredOn, readTable, writeTable } from '../scripts/figures-table.mjs';
import { readOptions } from '../scripts/read-options.mjs';
import { dropAll } from './attack-parts/sockets.mjs';
import { endTargets, forgetSettings } from './attack-parts/target.mjs';

const FOLDER = fileURLToPath(new URL('attacks', import.meta.url));
const MAX_MS = 240_000;
/** Time limit of an attack that runs only if it is named. */
const MAX_LONG_MS = 3_600_000;
const PARTLY = 'That is said of the rows that ran last; each of the others is as of its own last run.';
const HEAD = '| Attack | Result | Command |\n|---|---|---|';

const all = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .sort();
const USAGE = `npm run attacks -- [NAME…] [options]
  NAME      one of ${all.join(', ')}; default all that take seconds
  --write   write the results into docs/attacks.md`;
const { values: options, positionals: wanted } = readOptions(USAGE, {
  options: { write: { type: 'boolean', default: false } },
  words: all,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
forgetSettings();

const commandOf = (name) => `\`npm run attacks -- ${name}\``;
/** Rows of attacks that do not run now, or that succeeded, stay unchanged. */
const rows = new Map(
  all.flatMap((name) => {
    const row = readTable('attacks')
      .split('\n')
      .find((line) => line.includes(commandOf(name)));
    return row === undefined ? [] : [[name, row]];
  }),
);
let failed = 0;
for (const name of wanted.length === 0 ? all : wanted) {
  const { attack } = await import(pathToFileURL(`${FOLDER}/${name}.mjs`).href);
  if (wanted.length === 0 && attack.isLong === true) continue;
  const { seen, failures } = await runBounded(attack);
  if (failures.length === 0) rows.set(name, `| ${attack.what} | ${seen} | ${commandOf(name)} |`);
  process.stdout.write(`${failures.length === 0 ? 'held  ' : 'FAILED'}  ${name}: ${seen}\n`);
  process.stdout.write(`        before the defence: ${attack.before}\n`);
  for (const failure of failures) process.stdout.write(`        ${failure}\n`);
  failed += failures.length === 0 ? 0 : 1;
}
if (options.write)
  writeTable('attacks', `${measuredOn()} ${PARTLY}\n\n${HEAD}\n${[...rows.values()].join('\n')}\n`);
process.exit(failed === 0 ? 0 : 1);

/** An attack that does not end counts as a success. */
async function runBounded({ run, isLong = false }) {
  const maxMs = isLong ? MAX_LONG_MS : MAX_MS;
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${maxMs / 1000} s`)), maxMs);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return { seen: 'nothing', failures: [error.stack] };
  } finally {
    clearTimeout(timer);
    dropAll();
    await endTargets();
  }
}
