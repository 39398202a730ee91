// A closed-loop load by wrk: each connection sends its next request when the answer to the last one is complete.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { find, install } from '../scripts/system-package.mjs';
import { makeDirectory, ownChild } from './clean-up.mjs';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));
const files = new WeakMap();
let wrk;

/**
 * Sends a list of complete requests to a port, again and again from the first. Resolves to the number of answers below
 * status 400, the number of others, and the latencies of all in milliseconds.
 */
export async function load({ port, requests, connections, seconds }) {
  wrk ??= findWrk();
  const url = `http://127.0.0.1:${port}`;
  // wrk accepts only whole seconds.
  const limits = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '10s'];
  const args = [...limits, '-s', SCRIPT, url, '--', requestsFile(requests)];
  const running = promisify(execFile)(wrk, args);
  ownChild(running.child);
  const { stdout } = await running;
  const { answers, refused, broken, p50, p99, ...took } = JSON.parse(stdout.trim().split('\n').at(-1));
  if (broken > 0) throw new Error(`wrk: ${broken} connections or answers broke off`);
  const count = answers - refused;
  return { perSecond: count / took.seconds, count, p50, p99, refused };
}

function findWrk() {
  const failure = find(['wrk']) === undefined ? install('wrk') : undefined;
  const path = find(['wrk']);
  if (path === undefined)
    throw new Error(`install wrk first: \`apt-get install wrk\`, or the like (${failure})`);
  return path;
}

/** Writes a file with these requests, each as its length, a line feed and its bytes. */
export function requestsFile(requests) {
  let file = files.get(requests);
  if (file === undefined) {
    file = join(makeDirectory('requests'), 'requests');
    writeFileSync(
      file,
      Buffer.concat(requests.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes])),
    );
    files.set(requests, file);
  }
  return file;
}
