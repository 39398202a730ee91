// rspamd with its default configuration and a single worker, on loopback without a network: it uses the bench's resolver, and modules that fetch or query outside servers are off.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { find } from '../scripts/system-package.mjs';
import { makeDirectory, ownChild, removeDirectory } from './clean-up.mjs';
import { ON_SERVER_CORE } from './machine.mjs';
import { makeRequests } from './measure.mjs';
import { cpuSeconds, familyOf, freePort } from './process.mjs';

const CONFIG = '/etc/rspamd/rspamd.conf';
const START_MS = 60_000;
/** Modules that query outside servers. */
const OFF = ['fuzzy_check', 'rspamd_update', 'phishing'];
const MESSAGE = [
  'To: signup@example.org',
  'Subject: signup',
  `Date: ${new Date().toUTCString()}`,
  'MIME-Version: 1.0',
  'Content-Type: text/plain',
  '',
  'signup',
];

/** A contender as in contenders.mjs; `undefined` if rspamd is not installed. */
export async function startRspamd({ dns }) {
  if (find(['rspamd']) === undefined) return undefined;
  const directory = makeDirectory('rspamd');
  const port = await freePort();
  writeConfig(directory, { dns, port });
  const places = { LOCAL_CONFDIR: '.', DBDIR: 'db', RUNDIR: 'run', LOGDIR: 'log' };
  const vars = Object.entries(places).map(([name, folder]) => `--var=${name}=${join(directory, folder)}`);
  const [command, ...args] = [...ON_SERVER_CORE, 'rspamd', '-f', '-i', '-c', CONFIG, ...vars];
  const child = ownChild(spawn(command, args, { stdio: 'ignore' }));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (const until = Date.now() + START_MS; !(await isReady(port)); await sleep(100))
    if (Date.now() > until || child.exitCode !== null) throw new Error('rspamd did not start');
  return {
    name: 'rspamd',
    pid: child.pid,
    port,
    requests: makeRequests('none').map(toMessage),
    pids: () => familyOf(child.pid),
    cpuSeconds: () => familyOf(child.pid).reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    pause() {},
    async resume() {},
    async stop() {
      child.kill('SIGTERM');
      await ended;
      removeDirectory(directory);
    },
  };
}

function writeConfig(directory, { dns, port }) {
  for (const folder of ['override.d', 'local.d', 'db', 'run', 'log'])
    mkdirSync(join(directory, folder), { recursive: true });
  const write = (file, text) => writeFileSync(join(directory, 'override.d', file), `${text}\n`);
  write('worker-normal.inc', `bind_socket = "127.0.0.1:${port}"; count = 1;`);
  for (const other of ['controller', 'proxy']) write(`worker-${other}.inc`, 'enabled = false; count = 0;');
  write('logging.inc', 'type = "console"; level = "warning";');
  write(
    'options.inc',
    `dns { nameserver = ["${dns.address}"]; timeout = 1s; retransmits = 2; }\nfilters = "chartable,dkim,regexp";\ndisable_monitoring = true;`,
  );
  for (const module of OFF) write(`${module}.conf`, 'enabled = false;');
}

async function isReady(port) {
  const response = await fetch(`http://127.0.0.1:${port}/ping`).catch(() => undefined);
  return response?.status === 200;
}

/** The assessed signup as the smallest message that rspamd accepts. */
function toMessage(bytes, index) {
  const { email, ip } = JSON.parse(bytes.toString().split('\r\n\r\n')[1]);
  const text = [`From: ${email}`, `Message-ID: <${index}@signup.example.org>`, ...MESSAGE].join('\r\n');
  const head = [
    'POST /checkv2 HTTP/1.1',
    'Host: localhost',
    `IP: ${ip}`,
    `From: ${email}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}
