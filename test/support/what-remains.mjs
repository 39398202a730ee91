// Runs a service of the build in this process, or one that cannot start, and prints what it leaves behind after its end:
// timers, immediates, threads, sockets and servers that our code made, with the place. Environment: as for `gatehouse start`.
import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const WATCHED =
  /^(?:Timeout|Immediate|WORKER|TCPWRAP|TCPSERVERWRAP|PIPEWRAP|UDPWRAP|FSEVENTWRAP|STATWATCHER)$/;
// ioredis destroys a socket that has not ended after 2 s; Node keeps the text of a date for a second.
const OF_LIBRARIES = /\bdisconnect \(.*ioredis|\(node:internal\/http:/;
/** Time for the system to close what was ended. */
const CLOSING_MS = 5_000;
const TIMER = /^(?:Timeout|Immediate)$/;
const [root, scenario = 'start'] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${root}/dist/${file}`).href);
const [{ wireService }, { createLogger }, { beginService }, { readConfig }] = await Promise.all(
  ['wiring/app.js', 'platform/logger.js', 'cli/start.js', 'config/config.js'].map(load),
);

// Made when they are first asked for.
void [process.stdout, process.stderr];
Error.stackTraceLimit = 50;
const alive = new Map();
const hook = createHook({
  init(id, type, _trigger, resource) {
    if (!WATCHED.test(type)) return;
    const { stack } = new Error();
    if (OF_LIBRARIES.test(stack)) return;
    const at = stack
      .split('\n')
      .find((line) => line.includes(`${root}/dist/`))
      ?.replace(/^.*\/dist\//, '')
      .replace(/\)$/, '');
    if (at !== undefined) alive.set(id, { type, at, resource: new WeakRef(resource) });
  },
  destroy: (id) => void alive.delete(id),
}).enable();

const outcome = await run().catch((error) => error.message);
// An object that ends is reported in one of the next turns.
for (let turn = 0; turn < 20; turn += 1) await nextTurn();
const isOver = (resource) =>
  resource === undefined || resource._destroyed === true || resource._idleTimeout === -1;
const remaining = () => [...alive.values()].filter(({ resource }) => !isOver(resource.deref()));
const timers = remaining().filter(({ type }) => TIMER.test(type));
const handles = () => remaining().filter(({ type }) => !TIMER.test(type));
for (const until = Date.now() + CLOSING_MS; handles().length > 0 && Date.now() < until; ) await sleep(10);
hook.disable();
process.stdout.write(
  JSON.stringify({ outcome, remaining: [...timers, ...handles()].map(({ type, at }) => `${type} ${at}`) }),
);
process.exit(0);

async function run() {
  const config = readConfig(process.env);
  const log = createLogger(config, { isTTY: false, write: () => true });
  // A busy machine is no fault.
  const deadlines = { waitMs: 60_000, answerMs: 60_000, lockMs: 60_000 };
  const service = await wireService(config, log, { forTests: { storage: { deadlines } } });
  try {
    const url = await beginService(service, config, log, { terminal: false, json: false, log });
    if (scenario === 'use') await use(url);
  } finally {
    await service.close();
  }
  return 'closed';
}

/** Signups, refusals, and a request of each other kind. */
async function use(url) {
  const key = process.env.GATEHOUSE_BOOTSTRAP_KEY;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
  for (let at = 0; at < 40; at += 1)
    await fetch(`${url}/v1/assess`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': `key-${at % 5}` },
      body: JSON.stringify({ email: `jo@example-${at % 5}.com`, ip: `79.192.0.${at % 5}` }),
    }).then((answer) => answer.text());
  for (const path of ['/v1/usage', '/healthz', '/readyz', '/metrics', '/docs', '/hooks/hook_x'])
    await fetch(url + path, { headers }).then((answer) => answer.text());
}
