// Open-loop load on a server, and a check that the generator notices a server that stalls.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ownChild } from './clean-up.mjs';
import { requestsFile } from './load.mjs';
import { start } from './process.mjs';

const GENERATOR = fileURLToPath(new URL('./open-loop-load.mjs', import.meta.url));
const STALLING = fileURLToPath(new URL('./stalling-server.mjs', import.meta.url));
const CONNECTIONS = 128;
/** Garbage collection of the generator would count as latency, so it collects before the load, and has enough memory for a run. */
const GENERATOR_FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
/** Not counted: connections are new, and code is being compiled. */
export const LEAD_SECONDS = 2;

/**
 * Sends `rate` requests a second for some seconds. Resolves to `p50`, `p99`, `p999` and `worst` in milliseconds from the
 * moment a request was due, how many were `good` (200 within a second) or `inTime` (200 within three), `unanswered` or `refused`, and how many took `over500` milliseconds.
 */
export async function openLoop({ port, requests, rate, seconds, connections = CONNECTIONS, patienceMs }) {
  const options = { port, file: requestsFile(requests), rate, seconds, connections, patienceMs };
  const args = [...GENERATOR_FLAGS, GENERATOR, JSON.stringify({ ...options, leadSeconds: LEAD_SECONDS })];
  const running = promisify(execFile)(process.execPath, args);
  ownChild(running.child);
  return JSON.parse((await running).stdout);
}

const STALL_MS = 1_000;
const CHECK_RATE = 1_000;

/**
 * Loads a server that stalls once for a second, or for `stallMs` to make this check fail. @returns what the generator missed: callers who come during the stall must
 * wait, and there are more of them than connections; `undefined` if it missed nothing
 */
export async function checkGenerator(requests, stallMs = STALL_MS) {
  const server = await start([STALLING], { STALL_MS: String(stallMs) }, [process.execPath], ownChild);
  const connections = 32;
  const { worst, over500 } = await openLoop({
    port: server.port,
    requests,
    rate: CHECK_RATE,
    seconds: 3,
    connections,
  });
  await server.stop();
  if (worst < STALL_MS * 0.95) return `a stall of ${STALL_MS} ms was measured as ${worst.toFixed(0)} ms`;
  const waited = (CHECK_RATE * (STALL_MS - 500)) / 1_000;
  if (over500 < waited / 2) return `only ${over500} of about ${waited} callers were seen waiting`;
  return undefined;
}
