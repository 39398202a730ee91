// npm run demo: fills a fresh folder with a month of signups, then runs the service on it, or takes pictures of every page.
import { spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../scripts/read-options.mjs';
import { mirrorSettings } from './mirror.mjs';
import { fillMonth } from './month.mjs';
import { MEMBER, OPERATOR, OWNER, PASSWORD } from './staff.mjs';
import { readNames, startSurroundings } from './surroundings.mjs';

const BIN = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));
const HELP = `npm run demo -- [options]
  --data DIR          folder of the demo, default ./demo-data, with its installation in DIR/data; used as it is if it exists
  --assessments N     signups in the month, default 20000
  --to INSTANT        when the month ends, default now
  --seed N            another seed makes another month, default 1
  --port N            default 8080
  --bundled           only the bundled intelligence, without the demo's mirror of feeds
  --fill-only         fill the folder, then stop
  --screenshots DIR   write a picture of every page, light and dark, phone and wide, then stop
  --only NAME         pictures of pages whose names contain it`;

const { values: options } = readOptions(HELP, {
  options: {
    data: { type: 'string', default: 'demo-data' },
    assessments: { type: 'string', default: '20000' },
    to: { type: 'string' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '8080' },
    bundled: { type: 'boolean', default: false },
    'fill-only': { type: 'boolean', default: false },
    screenshots: { type: 'string' },
    only: { type: 'string' },
  },
});
const say = (text) => process.stdout.write(`${text}\n`);

try {
  await demo();
} catch (error) {
  process.stderr.write(`demo: ${error.message}\n`);
  process.exitCode = 1;
}

async function demo() {
  const root = resolve(options.data);
  const [dataDir, feedsDir] = [join(root, 'data'), join(root, 'feeds')];
  if (existsSync(dataDir)) say(`${root} exists and is used as it is; remove it to start again`);
  else await fill({ root, dataDir, feedsDir });
  // A path that works in the folder where the demo was started.
  say(`Commands about it: GATEHOUSE_DATA_DIR=${join(options.data, 'data')} npx gatehouse-server user list`);
  if (options['fill-only']) return;
  await serve({ dataDir, feedsDir, port: options.screenshots === undefined ? options.port : '0' });
}

/** Makes the month completely or not at all: an interrupted month starts again. */
async function fill({ root, dataDir, feedsDir }) {
  const [to, count] = [
    options.to === undefined ? Date.now() : Date.parse(options.to),
    Number(options.assessments),
  ];
  if (Number.isNaN(to)) throw new Error('--to must be an instant like 2026-05-31T12:00:00Z');
  if (!Number.isInteger(count) || count < 100) throw new Error('--assessments must be 100 or more');
  const started = performance.now();
  const draft = join(root, 'data.unfinished');
  rmSync(draft, { recursive: true, force: true });
  const { verdicts } = await fillMonth({
    dataDir: draft,
    feedsDir: options.bundled ? null : feedsDir,
    count,
    to,
    seed: Number(options.seed),
    names: readNames(),
    say,
  });
  renameSync(draft, dataDir);
  const { allow, challenge, block } = verdicts;
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  say(
    `${allow} allowed, ${challenge} challenged, ${block} blocked, the rest in the sandbox, in ${seconds} s`,
  );
}

async function serve({ dataDir, feedsDir, port }) {
  const surroundings = await startSurroundings(Number(options.seed));
  const child = spawn(process.execPath, [BIN, 'start'], {
    env: {
      ...process.env,
      PORT: port,
      GATEHOUSE_DATA_DIR: dataDir,
      ...(existsSync(feedsDir) ? mirrorSettings(feedsDir) : { GATEHOUSE_FEEDS: 'off' }),
      ...surroundings.settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  const stop = () => child.kill('SIGTERM');
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const url = await untilListening(child).catch(async (error) => {
    await surroundings.close();
    throw error;
  });
  say(`\nGatehouse runs at ${url}\n`);
  for (const { email, name } of [OPERATOR, OWNER, MEMBER]) say(`  ${email.padEnd(28)} ${name}`);
  say(`  The password of each is ${PASSWORD}\n`);
  if (options.screenshots !== undefined) {
    const { takeScreenshots } = await import('./screenshots.mjs');
    await takeScreenshots({ url, directory: resolve(options.screenshots), only: options.only, say }).finally(
      stop,
    );
  }
  await ended;
  await surroundings.close();
}

function untilListening(child) {
  let output = '';
  return new Promise((done, fail) => {
    child.once('exit', () =>
      fail(new Error(`the service did not start${output === '' ? '' : `:\n${output}`}`)),
    );
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const url = /"url":"([^"]+)"[^\n]*"msg":"listening"/.exec(output)?.[1];
      if (url !== undefined) done(url);
    });
  });
}
