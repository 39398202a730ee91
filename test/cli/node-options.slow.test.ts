/** `gatehouse start` on a Node.js that can replace its own process: the service gets the options that `npm start` passes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { BIN } from '../support/command.ts';
import { START_OPTIONS } from '../support/start-options.ts';

/**
 * Prints what would be started, and ends. The real one is tested with the package, on the newest Node.js. It hides the
 * option that loads it, which would be in the way of the others.
 */
const PRINT = `data:text/javascript,
  process.execve = (file, args) => { process.stdout.write(JSON.stringify(args)); process.exit(); };
  process.execArgv = process.execArgv.filter((option) => !option.startsWith('--import'));`;

interface Start {
  readonly options?: readonly string[];
  readonly args?: readonly string[];
  readonly NODE_OPTIONS?: string;
  /** Run before Gatehouse. */
  readonly before?: string;
}

/** Command that replaces the process; `undefined` where it goes on. */
async function replacement({
  options = [],
  args = ['start', '--help'],
  NODE_OPTIONS = '',
  before = '',
}: Start) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...options, `--import=${PRINT.replaceAll('\n', '')}${before}`, BIN, ...args],
    { env: { ...process.env, NODE_OPTIONS } },
  );
  return stdout.startsWith('[') ? (JSON.parse(stdout) as string[]) : undefined;
}

it('starts again with the options of `npm start`', async () => {
  expect(START_OPTIONS).toContain('--single-threaded-gc');
  expect(await replacement({})).toEqual([process.execPath, ...START_OPTIONS, BIN, 'start', '--help']);
});

it('keeps what it was given, also to the contrary and in the environment', async () => {
  const [first, second, third, fourth] = START_OPTIONS;
  expect([second, third]).toEqual(['--max-semi-space-size=32', '--no-allocation-site-pretenuring']);
  const options = ['--trace-deprecation', '--allocation-site-pretenuring', '--max_semi_space_size=64'];
  const rest = [BIN, 'start', '--help'];
  expect(await replacement({ options })).toEqual([process.execPath, first, fourth, ...options, ...rest]);
  expect(await replacement({ NODE_OPTIONS: `--trace-warnings ${second}` })).toEqual([
    process.execPath,
    first,
    third,
    fourth,
    ...rest,
  ]);
});

it.each<[string, Start]>([
  ['all are there', { options: START_OPTIONS }],
  ['another command is run', { args: ['key', '--help'] }],
  ['Node.js refuses an option', { before: 'process.execPath = "/bin/false"' }],
  ['Node.js cannot replace its process', { before: 'delete process.execve' }],
  ['it runs on Windows', { before: setProcess('platform', '"win32"') }],
  ['it may start no process', { before: setProcess('permission', '{}') }],
  ['a parent process has a channel to it', { before: setProcess('channel', '{}') }],
])('goes on where %s', async (_, start) => {
  expect(await replacement(start)).toBeUndefined();
});

function setProcess(property: string, value: string): string {
  return `Object.defineProperty(process, "${property}", { value: ${value} });`;
}
