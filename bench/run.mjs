// Durable live assessments against a bare node:http JSON echo: the same load on both in turn, in the same run.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../scripts/read-options.mjs';
import { startDns } from './dns.mjs';
import {
  COLUMNS,
  columns,
  makeRequests,
  measure,
  median,
  print,
  refusals,
  unlimitedKey,
} from './measure.mjs';
import { BIN, start } from './process.mjs';

readOptions(`npm run bench
  BENCH_SECONDS, BENCH_ROUNDS   seconds of a round, default 5, and rounds, default 3, in the environment`);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = [1, 32, 128];
/** The lower limits of the recorded ratios. */
const FLOORS = { 32: 0.33, 128: 0.45 };
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
const requests = makeRequests(unlimitedKey(env));
const [echo, service] = await Promise.all([start(['bench/echo.mjs']), start([BIN, 'start'], env)]);

print(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; ${ROUNDS} rounds of ${SECONDS} s each, median round shown\n`,
);
print(`connections  ratio   gatehouse${COLUMNS}      echo${COLUMNS}`);
const failures = [];
for (const server of [echo, service])
  await measure(server, { requests, connections: 32, seconds: WARM_UP_SECONDS });
for (const connections of CONNECTIONS) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const loadOptions = { requests, connections, seconds: SECONDS };
    const yardstick = await measure(echo, loadOptions);
    const ours = await measure(service, loadOptions);
    rounds.push({ yardstick, ours, ratio: ours.perSecond / yardstick.perSecond });
  }
  const { yardstick, ours, ratio } = median(rounds, (round) => round.ratio);
  print(`${String(connections).padStart(11)}  ${ratio.toFixed(3)}  ${columns(ours)}  ${columns(yardstick)}`);
  failures.push(
    ...refusals(
      rounds.map(({ ours }) => ours),
      `at ${connections} connections`,
    ),
  );
  if (ratio < (FLOORS[connections] ?? 0))
    failures.push(`${ratio.toFixed(3)} at ${connections} connections is below ${FLOORS[connections]}`);
}
await Promise.all([echo.stop(), service.stop()]);
dns.close();
rmSync(directory, { recursive: true });
for (const failure of failures) process.stderr.write(`bench: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
