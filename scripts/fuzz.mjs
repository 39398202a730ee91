// Sends generated hostile requests to a service, in rounds with a seed each: test/fault/bad-input.test.ts (the public API) and hostile-calls.test.ts (all others) in their long versions. Stops at the first request that is answered wrongly, and fails if memory grows.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { readCount, readOptions } from './read-options.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** To the public API, half of them to each reader; and some 3,000 calls of the dashboard's API. */
const REQUESTS_OF_ROUND = 10_000;
const REQUESTS = 1_000_000;
const TESTS = ['test/fault/bad-input', 'test/fault/hostile-calls'];

const { values: options } = readOptions(
  `node scripts/fuzz.mjs [options]
  --requests N   how many to the public API at least, default ${REQUESTS}; with each ${REQUESTS_OF_ROUND} some 3000 calls of the dashboard's API
  --seed N       of the first round, default random; each further round has the next number
Memory is measured after each round, from the second on: with --requests ${3 * REQUESTS_OF_ROUND} or more.`,
  { options: { requests: { type: 'string' }, seed: { type: 'string' } } },
);
const rounds = Math.ceil(readCount(options.requests, REQUESTS) / REQUESTS_OF_ROUND);
const seed = readCount(options.seed, randomInt(1, 2 ** 31 - rounds));
let sent = 0;

for (const test of TESTS) {
  process.stdout.write(`${test}: ${rounds} rounds, seeds ${seed} to ${seed + rounds - 1}\n`);
  const { status, output } = await run(test);
  for (const [line, count] of output.matchAll(/^sent (\d+);.*$/gm)) {
    process.stdout.write(`${line}\n`);
    sent += Number(count);
  }
  if (status === 0) continue;
  process.stdout.write(
    `${output}\nagain, from the seed that failed on: \`node scripts/fuzz.mjs --requests 1 --seed ${seed}\`\n`,
  );
  process.exit(1);
}
process.stdout.write(`${sent || 'all'} requests were answered as documented\n`);

function run(test) {
  const env = {
    ...process.env,
    GATEHOUSE_TEST_LONG: '1',
    GATEHOUSE_TEST_SEED: String(seed),
    GATEHOUSE_FUZZ_ROUNDS: String(rounds),
    NO_COLOR: '1',
  };
  const args = ['vitest', 'run', '--project', 'slow', '--bail', '1', test];
  const child = spawn('npx', args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((done) => child.once('close', (status) => done({ status, output })));
}
