// The load that all benches use, and how its results are printed.
import { load } from './load.mjs';
import { cpuSeconds, gatehouse } from './process.mjs';

const REQUESTS = 50_000;
const DOMAINS = 500;

/** An account without limits, and a live key for it: `account`, the key's `id`, and `key` itself. */
export function unlimitedKey(env, bin) {
  const limits = ['--plan', 'business', '--rps', '100000', '--monthly-quota', '1000000000'];
  const { id: account } = gatehouse(['account', 'create', '--name', 'bench', ...limits], env, bin);
  const made = ['key', 'create', '--account', account, '--mode', 'live', '--name', 'bench'];
  return { account, ...gatehouse(made, env, bin) };
}

/** Returns `count` requests with distinct addresses at a few hundred domains, from distinct public IPs. */
export function makeRequests(secret, count = REQUESTS) {
  return Array.from({ length: count }, (_, index) => {
    const email = `person.${index}@company-${index % DOMAINS}.com`;
    const ip = `${20 + (index % 60)}.${(index >> 3) % 256}.${index % 251}.${1 + (index % 250)}`;
    const body = JSON.stringify({ email, ip, session_id: `session-${index}` });
    return Buffer.from(
      `POST /v1/assess HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

/** Puts a load on a process, and adds the process's CPU time per request to the result. */
export async function measure({ pid, port }, { requests, connections, seconds }) {
  const before = cpuSeconds(pid);
  const result = await load({ port, requests, connections, seconds });
  return { ...result, cpuMicroseconds: ((cpuSeconds(pid) - before) * 1e6) / result.count };
}

export const COLUMNS = '/s  p50 ms  p99 ms  CPU µs';

export function columns({ perSecond, p50, p99, cpuMicroseconds }) {
  return [
    perSecond.toFixed(0).padStart(10),
    p50.toFixed(2).padStart(7),
    p99.toFixed(2).padStart(6),
    cpuMicroseconds.toFixed(0).padStart(6),
  ].join('  ');
}

/** A line if any answer was not a 200, otherwise none. */
export function refusals(results, where) {
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  return refused === 0 ? [] : [`${refused} answers other than 200 ${where}`];
}

/** @param by a number of each; absent: they are numbers */
export function median(rounds, by = (value) => value) {
  return rounds.toSorted((a, b) => by(a) - by(b))[Math.floor(rounds.length / 2)];
}

export function print(line) {
  process.stdout.write(`${line}\n`);
}
