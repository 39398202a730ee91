// Durable live assessments against a bare node:http JSON echo: the same load on both in turn, in the same run.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { startDns } from './dns.mjs';
import { BIN, cpuSeconds, gatehouse, start } from './process.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = [1, 32, 128];
/** What the recorded ratios must not fall below. */
const FLOORS = { 32: 0.33, 128: 0.45 };
const REQUESTS = 50_000;
const DOMAINS = 500;
const WARM_UP_SECONDS = 2;

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const dns = await startDns();
const env = {
  PORT: '0',
  GATEHOUSE_DATA_DIR: join(directory, 'data'),
  GATEHOUSE_DNS_SERVERS: dns.address,
  GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
  GATEHOUSE_FEEDS: 'off',
};
const account = gatehouse(
  [
    'account',
    'create',
    '--name',
    'bench',
    '--plan',
    'business',
    '--rps',
    '100000',
    '--monthly-quota',
    '1000000000',
  ],
  env,
);
const { key } = gatehouse(
  ['key', 'create', '--account', account.id, '--mode', 'live', '--name', 'bench'],
  env,
);
const [echo, service] = await Promise.all([start(['bench/echo.mjs']), start([BIN, 'start'], env)]);
const requests = makeRequests(key);

print(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; ${ROUNDS} rounds of ${SECONDS} s each, median round shown\n`,
);
print('connections  ratio   gatehouse/s  p50 ms  p99 ms  CPU µs      echo/s  p50 ms  p99 ms  CPU µs');
const failures = [];
await measure(echo, 32, WARM_UP_SECONDS);
await measure(service, 32, WARM_UP_SECONDS);
for (const connections of CONNECTIONS) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const yardstick = await measure(echo, connections, SECONDS);
    const ours = await measure(service, connections, SECONDS);
    rounds.push({ yardstick, ours, ratio: ours.perSecond / yardstick.perSecond });
  }
  rounds.sort((a, b) => a.ratio - b.ratio);
  const { yardstick, ours, ratio } = rounds[Math.floor(rounds.length / 2)];
  print(`${String(connections).padStart(11)}  ${ratio.toFixed(3)}  ${columns(ours)}  ${columns(yardstick)}`);
  const refused = rounds.map((round) => JSON.stringify(round.ours.refused)).filter((text) => text !== '{}');
  if (refused.length > 0)
    failures.push(`answers other than 200 at ${connections} connections: ${refused.join(' ')}`);
  if (ratio < (FLOORS[connections] ?? 0))
    failures.push(`${ratio.toFixed(3)} at ${connections} connections is below ${FLOORS[connections]}`);
}
await Promise.all([echo.stop(), service.stop()]);
dns.close();
rmSync(directory, { recursive: true });
for (const failure of failures) process.stderr.write(`bench: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Puts a load on a process from a thread of its own, and adds what each request cost the process in CPU. */
async function measure({ pid, port }, connections, seconds) {
  const before = cpuSeconds(pid);
  const worker = new Worker(new URL('./load.mjs', import.meta.url), {
    workerData: { port, requests, connections, seconds },
  });
  const result = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  return { ...result, cpuMicroseconds: ((cpuSeconds(pid) - before) * 1e6) / result.count };
}

/** Distinct addresses of a few hundred domains from distinct public IPs: nothing repeats within a round. */
function makeRequests(secret) {
  return Array.from({ length: REQUESTS }, (_, index) => {
    const email = `person.${index}@company-${index % DOMAINS}.com`;
    const ip = `${20 + (index % 60)}.${(index >> 3) % 256}.${index % 251}.${1 + (index % 250)}`;
    const body = JSON.stringify({ email, ip, session_id: `session-${index}` });
    return Buffer.from(
      `POST /v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

function columns({ perSecond, p50, p99, cpuMicroseconds }) {
  return [
    perSecond.toFixed(0).padStart(10),
    p50.toFixed(2).padStart(7),
    p99.toFixed(2).padStart(6),
    cpuMicroseconds.toFixed(0).padStart(6),
  ].join('  ');
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
