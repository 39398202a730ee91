// Response times after a burst: writes N fresh assessments (1,200,000, or the first argument) that nothing has
// indexed yet, starts the service, and requests pages, simulations and exports at once while signups arrive.
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../dist/accounts/password.js';
import { makeLinkSecret } from '../dist/accounts/secret-link.js';
import { openSqlite } from '../dist/platform/sqlite-driver.js';
import { openSqliteStore } from '../dist/store/sqlite/sqlite.js';
import { readCount, readOptions } from '../scripts/read-options.mjs';
import { startDns } from './dns.mjs';
import { fillHistory } from './fill-history.mjs';
import { print } from './measure.mjs';
import { gatehouse, start, startArgs } from './process.mjs';

const USAGE = `npm run bench -- burst [N]
  N   fresh assessments that nothing has indexed yet, default 1200000`;
const { positionals } = readOptions(USAGE, { words: 1 });
const ROWS = readCount(positionals[0], 1_200_000);
const BURST_MS = 240_000;
const SIMULATIONS = 20;
const EXPORTS = 10;
const RATE = 200;
const QUIET_MS = 15_000;
const GIVE_UP_MS = 280_000;
const PASSWORD = 'correct horse battery';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-burst-'));
const dataDir = join(directory, 'data');
const dns = await startDns();
const env = {
  PORT: '0',
  GATEHOUSE_DATA_DIR: dataDir,
  GATEHOUSE_DNS_SERVERS: dns.address,
  GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
  GATEHOUSE_FEEDS: 'off',
};
const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
let service;
try {
  const limits = ['--plan', 'business', '--rps', '100000', '--monthly-quota', '1000000000'];
  const { id: account } = gatehouse(['account', 'create', '--name', 'bench', ...limits], env);
  const key = gatehouse(['key', 'create', '--account', account, '--mode', 'live', '--name', 'bench'], env);
  const email = await plantOperator();
  const database = openSqlite(join(dataDir, 'gatehouse.db'));
  const now = Date.now();
  fillHistory(database, { account, key: key.id, rows: ROWS, from: now - BURST_MS, to: now });
  database.close();
  service = await start(startArgs(), env);
  const started = performance.now();
  const since = () => ((performance.now() - started) / 1000).toFixed(1);
  const cookie = await signIn(email);
  const api = `/dashboard/api/accounts/${account}`;
  const get = (path) => ask({ path: api + path, headers: { cookie } });

  const alone = assess(key.key, 10_000);
  print(`signups while the index catches up, nobody asks: ${latencies(await alone)}`);
  const load = assess(key.key, 60_000);
  const simulate = JSON.stringify({
    mode: 'live',
    period: '24h',
    thresholds: { challenge: 30, block: 60 },
  });
  const reports = [
    report(
      'pages of the history',
      Array.from({ length: 5 }, () => get('/assessments')),
    ),
    report(
      'overviews',
      Array.from({ length: 5 }, () => get('/today?period=24h')),
    ),
    report(
      'simulations',
      Array.from({ length: SIMULATIONS }, (_, index) =>
        ask({
          method: 'POST',
          path: `${api}/simulate`,
          headers: { cookie, 'X-Gatehouse': 'dashboard', 'Content-Type': 'application/json' },
          body: simulate.replace('30', String(10 + index)),
        }),
      ),
    ),
    report(
      'exports',
      Array.from({ length: EXPORTS }, () => get('/assessments.csv')),
    ),
  ];
  await Promise.all(reports);
  print(`signups while the index catches up, people ask: ${latencies(await load)}`);
  const whole = await untilWhole(get);
  print(`everything indexed ${whole ? `${since()} s after the start` : 'not in time'}`);
  const after = await ask({
    method: 'POST',
    path: `${api}/simulate`,
    headers: { cookie, 'X-Gatehouse': 'dashboard', 'Content-Type': 'application/json' },
    body: simulate,
  });
  print(`then a simulation: ${line(after)}`);
  print(`then an export: ${line(await get('/assessments.csv'))}`);
  print(`signups when all is indexed: ${latencies(await assess(key.key, QUIET_MS))}`);
} finally {
  await service?.stop();
  agent.destroy();
  dns.close();
  rmSync(directory, { recursive: true });
}

async function plantOperator() {
  const store = openSqliteStore({ directory: dataDir });
  const { tokenHash } = makeLinkSecret();
  const now = Date.now();
  const email = 'operator@people.example';
  const user = { id: 'usr_bench', email, name: 'Operator', passwordHash: await hashPassword(PASSWORD) };
  await store.saveLink({ tokenHash, purpose: 'operator', userId: null, expiresAt: now + 60_000 });
  await store.claimOperator(user, tokenHash, now);
  await store.close();
  return email;
}

async function signIn(email) {
  const answer = await ask({
    method: 'POST',
    path: '/dashboard/auth/sign-in/email',
    headers: { 'X-Gatehouse': 'dashboard', 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return answer.headers['set-cookie'].map((text) => text.split(';', 1)[0]).join('; ');
}

/** Signups at a steady rate, however long the answers take; resolves to their times in milliseconds. */
async function assess(secret, milliseconds) {
  const times = [];
  const waiting = new Set();
  const began = performance.now();
  for (let sent = 0; performance.now() - began < milliseconds; sent += 1) {
    const due = began + (sent * 1000) / RATE;
    if (due > performance.now()) await sleep(due - performance.now());
    const body = JSON.stringify({
      email: `person.${sent}@company-${sent % 500}.com`,
      ip: `20.1.${sent % 250}.9`,
    });
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const request = ask({ method: 'POST', path: '/v1/assess', headers, body }).then(({ status }) => {
      times.push({ took: performance.now() - due, status });
      waiting.delete(request);
    });
    waiting.add(request);
  }
  await Promise.all(waiting);
  return times;
}

function latencies(times) {
  const sorted = times.map(({ took }) => took).sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  const failed = times.filter(({ status }) => status !== 200).length;
  return `${times.length} at ${RATE}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms, ${failed} failed`;
}

async function report(what, answers) {
  const all = await Promise.all(answers);
  const kinds = new Map();
  for (const answer of all) {
    const kind =
      answer.error ?? `${answer.status}${answer.retryAfter === undefined ? '' : ' with Retry-After'}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), answer.seconds]);
  }
  const parts = [...kinds].map(
    ([kind, seconds]) => `${seconds.length} × ${kind} (${Math.max(...seconds).toFixed(1)} s at most)`,
  );
  print(`${what}: ${parts.join(', ')}`);
}

function line({ status, error, seconds, bytes }) {
  return `${error ?? status} in ${seconds.toFixed(1)} s, ${bytes} bytes`;
}

/** Waits until a page of the history reports a complete index. */
async function untilWhole(get) {
  const until = performance.now() + GIVE_UP_MS;
  while (performance.now() < until) {
    const { status, text } = await get('/assessments?limit=1');
    if (status === 200 && (JSON.parse(text).indexing ?? null) === null) return true;
    await sleep(500);
  }
  return false;
}

function ask({ method = 'GET', path, headers, body }) {
  const began = performance.now();
  return new Promise((resolve) => {
    let bytes = 0;
    let text = '';
    const end = (answer) => resolve({ seconds: (performance.now() - began) / 1000, bytes, text, ...answer });
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = {
      port: service.port,
      method,
      path,
      headers: { ...headers, ...length },
      agent,
      timeout: 90_000,
    };
    const request = http.request(options, (response) => {
      const { statusCode: status, headers: answered } = response;
      response.on('data', (chunk) => {
        bytes += chunk.length;
        if (text.length < 100_000) text += chunk;
      });
      response.on('end', () => end({ status, headers: answered, retryAfter: answered['retry-after'] }));
      response.on('error', () => end({ error: `${status}, then cut off` }));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in 90 s')));
    request.on('error', (error) => end({ error: error.message }));
    request.end(body);
  });
}
