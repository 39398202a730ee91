// npm run bench -- NAME: builds what has changed, and runs the measurement of this name. Without a name, or with the name of a measure, bench/run.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BENCHES } from './benches.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The cost of an assessment, with measures of its own. */
const DEFAULT = 'bench/run.mjs';

const [name, ...others] = process.argv.slice(2);
if (name === '--help') printHelp();
const bench = BENCHES[name];
const args = bench === undefined ? [DEFAULT, ...process.argv.slice(2)] : [bench.file, ...others];
if (!args.includes('--help')) build();
const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
process.once('SIGTERM', () => child.kill());
// A terminal sends it to both: the measurement ends what it started, and this waits for it.
process.on('SIGINT', () => {});
const [status] = await once(child, 'exit');
process.exitCode = status ?? 1;

function build() {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function printHelp() {
  const { stdout } = spawnSync(process.execPath, [DEFAULT, '--help'], { cwd: ROOT, encoding: 'utf8' });
  const rows = Object.entries(BENCHES).map(([name, { what }]) => `  ${name.padEnd(17)}${what}`);
  process.stdout.write(
    `${stdout}\nnpm run bench -- NAME [options]: others; NAME --help explains one\n${rows.join('\n')}\n`,
  );
  process.exit(0);
}
