// Runs the long versions of the tests: all rounds of faults, property tests and hostile requests, and limits of time. Prints the figures of faults as the table of docs/reliability.md; `--write` writes it there.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { measuredOn, writeTable } from './figures-table.mjs';
import { readCount, readOptions } from './read-options.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const PROPERTY_RUNS = 2_000;
/** Test files that are longer with `test/support/long-version.ts` or `property-runs.ts`. */
const TESTS = [
  'test/bench',
  'test/cli/backup',
  'test/cli/intel',
  'test/cli/migrate-faults',
  'test/cli/process',
  'test/cli/start',
  'test/fault',
  'test/kill',
  'src/store/postgres/cluster',
  'src/store/postgres/postgres',
  'src/store/records/batch',
  'src/store/history-index/run-',
  'src/store/sqlite/deadlines',
  'src/store/sqlite/sqlite',
  'test/feeds',
  'test/cluster',
  'test/dashboard/indexing',
  'test/dashboard/tenants',
  'test/http/dead-world',
  'test/http/limits',
  'test/http/lists',
  'test/http/callers',
  'test/http/thresholds',
  'test/reload',
  'test/script-options',
  'test/shared-feeds',
  'test/velocity-memory',
  'src/signup',
  'src/velocity',
  'src/intel/baseline-networks',
  'src/evidence/email-memory',
  'src/evidence/mail-host-verdict',
];
const { values: options, positionals } = readOptions(
  `npm run reliability -- [options] [FILE…]
  FILE…         only test files whose path contains one of these words, such as kill or torn-files
  --rounds N    so many rounds of each fault that is repeated, such as kills; default: those of each test
  --records N   stored signups of the test that kills a large service; default 1000000
  --minutes N   at the end, also npm run bench -- soak for so long; before a release 60
  --write       put the table into docs/reliability.md; only for all files`,
  {
    words: 20,
    options: {
      write: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      records: { type: 'string' },
      minutes: { type: 'string' },
    },
  },
);
const minutes = readCount(options.minutes, 0);
const files = positionals.length === 0 ? TESTS : positionals;

/** Runs the files in sequence, so that no test disturbs the measurements of another. */
async function runTests() {
  const projects = ['--project', 'unit', '--project', 'integration', '--project', 'slow'];
  const served = await runVitest([...projects, '--no-file-parallelism', ...files]);
  if (positionals.length > 0) return served;
  const packages = ['--config', 'vitest.examples.config.ts', '--no-file-parallelism', 'test/packages'];
  const installed = await runVitest(packages);
  return { status: served.status || installed.status, output: served.output + installed.output };
}

function runVitest(args) {
  const env = {
    ...process.env,
    GATEHOUSE_TEST_LONG: '1',
    FC_RUNS: String(PROPERTY_RUNS),
    GATEHOUSE_NEW_FIGURES: '1',
    ...(options.rounds !== undefined && { GATEHOUSE_TEST_ROUNDS: String(readCount(options.rounds, 1)) }),
    ...(options.records !== undefined && { GATEHOUSE_TEST_RECORDS: String(readCount(options.records, 1)) }),
    NO_COLOR: '1',
  };
  const child = spawn('npx', ['vitest', 'run', ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stderr.write(text);
  });
  return new Promise((done) => child.once('close', (status) => done({ status, output })));
}

function toTable(output) {
  const figures = [...output.matchAll(/^figure: (\S+) (\S+) (\S+)$/gm)].map(([, ...figure]) => figure);
  const rows = figures.map(([fault, name, value]) => `| ${fault} | ${name} | ${value} |`);
  return `${measuredOn()}\n\n| Fault | Figure | Value |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const { status, output } = await runTests();
const table = toTable(output);
process.stdout.write(`\n${table}`);
if (status !== 0) process.exitCode = 1;
else if (options.write && positionals.length === 0) writeTable('figures', table);
if (minutes > 0 && (await soak()) !== 0) process.exitCode = 1;

function soak() {
  const args = ['run', '-s', 'bench', '--', 'soak', '--minutes', String(minutes)];
  const child = spawn('npm', args, { cwd: ROOT, stdio: 'inherit' });
  return new Promise((done) => child.once('close', done));
}
