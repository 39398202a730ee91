// npm run test:all: every test. First what npm test runs, then the slow ones, then what installs our packages and the examples; a part that fails ends no other.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readOptions } from './read-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHORT = { what: 'npm test', command: ['npm', 'test'] };
const REST = [
  { what: 'the slow tests', command: ['npx', 'vitest', 'run', '--project', 'slow*'] },
  {
    what: 'the packages and the examples',
    command: ['npx', 'vitest', 'run', '--config', 'vitest.examples.config.ts'],
  },
];

const { values: options } = readOptions(
  `npm run test:all -- [options]
  --rest   without what npm test runs`,
  { options: { rest: { type: 'boolean', default: false } } },
);

const results = [];
for (const { what, command } of options.rest ? REST : [SHORT, ...REST]) {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const [status] = await once(spawn(program, args, { cwd: ROOT, stdio: 'inherit' }), 'exit');
  results.push({ what, status, seconds: Math.round((performance.now() - startedAt) / 1_000) });
}
for (const { what, status, seconds } of results)
  process.stdout.write(`${what}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
if (results.some(({ status }) => status !== 0)) process.exitCode = 1;
