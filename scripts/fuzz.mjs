// Sends generated hostile requests to a service, in runs of some thousands, each with a seed of its own and a fresh service: test/fault/bad-input.test.ts in its long version. Stops at the first request that is answered wrongly.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { readCount, readOptions } from './read-options.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** Of one run: as many to the strict reader as to Node's parser. */
const REQUESTS_OF_RUN = 10_000;
const REQUESTS = 1_000_000;
const TEST = 'test/fault/bad-input';

const { values: options } = readOptions(
  `npm run fuzz -- [options]
  --requests N   how many at least, default ${REQUESTS}; some forty seconds for each ${REQUESTS_OF_RUN}
  --seed N       of the first run, default random; each further run has the next number`,
  { options: { requests: { type: 'string' }, seed: { type: 'string' } } },
);
const runs = Math.ceil(readCount(options.requests, REQUESTS) / REQUESTS_OF_RUN);
const first = readCount(options.seed, randomInt(1, 2 ** 31 - runs));

for (let run = 0; run < runs; run += 1) {
  const seed = first + run;
  const { status, output } = await send(seed);
  if (status !== 0) {
    process.stdout.write(
      `${output}\nseed ${seed}: again with \`npm run fuzz -- --requests 1 --seed ${seed}\`\n`,
    );
    process.exit(1);
  }
  process.stdout.write(
    `seed ${seed}: ${(run + 1) * REQUESTS_OF_RUN} of ${runs * REQUESTS_OF_RUN} requests answered as documented\n`,
  );
}

function send(seed) {
  const env = { ...process.env, GATEHOUSE_TEST_LONG: '1', GATEHOUSE_TEST_SEED: String(seed), NO_COLOR: '1' };
  const args = ['vitest', 'run', '--project', 'integration', TEST];
  const child = spawn('npx', args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((done) => child.once('close', (status) => done({ status, output })));
}
