// npm run dev: the service and the dashboard from their sources, on a small month of the demo. A change of src restarts the service, one of dashboard/src is shown at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSurroundings } from '../demo/surroundings.mjs';
import { createDevService } from './dev-service.mjs';
import { readCount, readOptions } from './read-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SNAPSHOT = join(ROOT, 'dist/intel/baseline.snapshot');
const STAFF = JSON.parse(readFileSync(join(ROOT, 'demo/staff.json'), 'utf8'));
const SEED = 1;
/** Editors write several files at once. */
const TOGETHER_MS = 50;
const HELP = `npm run dev -- [options]
  --port N          default 8080
  --data DIR        folder of the month, default ./dev-data; used as it is if it exists
  --assessments N   signups in a new month, default 1000
It runs src and dashboard/src without a build and without a look at types (npm run check looks at them). What it takes
from the build is the bundled intelligence and the API reference: after a change of these, run npm run build.`;

const { values: options } = readOptions(HELP, {
  options: {
    port: { type: 'string', default: '8080' },
    data: { type: 'string', default: 'dev-data' },
    assessments: { type: 'string', default: '1000' },
  },
});
const say = (text) => process.stdout.write(`${text}\n`);
/** Parts to end, the latest first. */
const running = [];
let isEnding = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end(0));
try {
  await dev();
} catch (error) {
  if (!isEnding) {
    process.stderr.write(`dev: ${error.message}\n`);
    await end(1);
  }
}

async function dev() {
  if (!existsSync(SNAPSHOT)) await run('the build', ['scripts/build.mjs']);
  const { emitSources, isEmitted, SRC } = await import('./emit-sources.mjs');
  await emitSources();
  const lines = holdLines();
  const port = await freePort();
  const environment = { GATEHOUSE_DATA_DIR: resolve(options.data, 'data'), GATEHOUSE_FEEDS: 'off' };
  const service = createDevService({ port, environment, print: lines.print });
  const [dashboard] = await Promise.all([
    serveDashboard(port, service),
    fillMonth(environment.GATEHOUSE_DATA_DIR),
  ]);
  const surroundings = await startSurroundings(SEED);
  Object.assign(environment, surroundings.settings);
  running.push(
    () => surroundings.close(),
    () => service.stop(),
  );
  const isUp = await service.restart();
  sayHow(dashboard.url, isUp);
  lines.release();
  dashboard.watch(SRC, isEmitted, (files) => update(files, { emitSources, service, dashboard }));
}

/** After a mistake in the code, the last version that could be read keeps running. */
async function update(files, { emitSources, service, dashboard }) {
  const [first, ...others] = files.map((file) => relative(ROOT, file));
  const what = others.length === 0 ? first : `${first} and ${others.length} more`;
  try {
    await emitSources();
  } catch (error) {
    say(`dev: ${what}: ${error.message}`);
    return;
  }
  const startedAt = performance.now();
  const isUp = await service.restart();
  if (isEnding) return;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  say(
    `dev: ${what} changed: ${isUp ? `restarted in ${seconds} s` : 'the service ended; it starts again after the next change'}`,
  );
  if (isUp) dashboard.reload();
}

function sayHow(url, isUp) {
  const { operator, owner, member, password } = STAFF;
  say(`
  Open        ${url}
  Sign in as  ${operator.email}, who sees everything
              ${owner.email} or ${member.email}, of one account
  Password    ${password}
  Stop        Ctrl-C
`);
  if (!isUp)
    say(
      `dev: the service ended; it starts again after the next change of src. If the month in ${options.data} is the reason, stop, remove this folder, and start again.`,
    );
}

/** Keeps the lines of the first start back until people know what to open. */
function holdLines() {
  let held = [];
  return {
    print: (line) => (held === undefined ? say(line) : held.push(line)),
    release() {
      const lines = held;
      held = undefined;
      for (const line of lines) say(line);
    },
  };
}

async function fillMonth(dataDir) {
  if (existsSync(dataDir)) return;
  say(`Filling ${options.data} with a month of signups…`);
  const count = String(readCount(options.assessments, 0));
  const args = ['--data', options.data, '--assessments', count, '--bundled', '--fill-only'];
  await run('the month', ['--import', './scripts/from-sources.mjs', 'demo/run.mjs', ...args], {
    quiet: true,
  });
}

/** Runs a script of ours. @throws if it fails */
async function run(what, args, { quiet = false } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  running.push(() => child.kill());
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${what} failed`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The pages by vite, and everything else from the service: while it starts, requests wait. */
async function serveDashboard(servicePort, service) {
  process.env.SERVICE_URL = `http://127.0.0.1:${servicePort}`;
  const vite = await import('vite');
  const server = createServer(async (request, response) => {
    if (isForService(request.url) && !(await service.answers())) {
      response
        .writeHead(503, { 'Content-Type': 'text/plain' })
        .end('The service has ended: npm run dev says why.\n');
      return;
    }
    pages.middlewares(request, response);
  });
  const pages = await vite.createServer({
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    clearScreen: false,
    logLevel: 'info',
    // The first page needs these: made while the month is filled.
    server: {
      middlewareMode: true,
      ws: { server },
      warmup: { clientFiles: ['./src/main.tsx', './src/pages/*-page.tsx'] },
    },
  });
  const { proxy } = pages.config.server;
  const isForService = (url = '') => Object.keys(proxy).some((path) => url.startsWith(path));
  running.push(
    () => pages.close(),
    () => server.closeAllConnections(),
  );
  server.listen(readPort(), '127.0.0.1');
  await once(server, 'listening').catch((error) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`port ${options.port} is in use: npm run dev -- --port N uses another`)
      : error;
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    reload: () => pages.ws.send({ type: 'full-reload' }),
    watch: (folder, wanted, onChange) => watch(pages.watcher, folder, wanted, onChange),
  };
}

function readPort() {
  const port = Number(options.port);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error('--port must be a number from 0 to 65535');
}

/** Calls `onChange` with the files that changed, one call after the other. */
function watch(watcher, folder, wanted, onChange) {
  let changed = new Set();
  let timer;
  let last = Promise.resolve();
  watcher.add(folder);
  watcher.on('all', (_event, path) => {
    if (!wanted(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed];
      changed = new Set();
      last = last.then(() => onChange(files));
    }, TOGETHER_MS);
  });
}

async function end(status) {
  if (isEnding) return;
  isEnding = true;
  await Promise.all(running.reverse().map((stop) => Promise.resolve(stop()).catch(() => {})));
  process.exit(status);
}
