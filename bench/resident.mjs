// An embedded service at start and at rest: the time to the first answer with a million stored signups of the last 24 hours, resident memory, and CPU when idle.
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory, ownChild, removeDirectory } from './clean-up.mjs';
import { notingThreads, settingsOf } from './contenders.mjs';
import { ON_SERVER_CORE } from './machine.mjs';
import { makeRequests, median, print, unlimitedKey } from './measure.mjs';
import { plant } from './plant.mjs';
import { start, startArgs } from './process.mjs';
import { residentBytes } from './resident-bytes.mjs';
import { untilSettled } from './settled.mjs';
import { threadSeconds, threadsSince } from './threads.mjs';

const MILLION = 1_000_000;
const DAY_MS = 86_400_000;
/** No planted signup becomes older than 24 hours while this runs. */
const MARGIN_MS = 3_600_000;
const IDLE_SECONDS = 60;
const POLL_MS = 2;
const MIB = 1024 * 1024;

/** @param services only the first is measured */
export async function measureMillion({ services: [{ bin }], dns, rounds, rows = MILLION }) {
  const place = await makePlace({ bin, dns, rows });
  print(`\n${rows} signups of the last 24 hours stored, nothing alike, all feeds`);
  // The first start does one-time work, such as an index of the written signups.
  const first = await timedStart(place);
  await rest(first);
  await first.stop();
  const starts = [];
  let resident;
  for (let round = 1; round <= rounds; round += 1) {
    const server = await timedStart(place);
    starts.push(server.seconds);
    if (round === rounds) {
      await rest(server);
      resident = residentBytes(server.pid) / MIB;
    }
    await server.stop();
  }
  removeDirectory(place.directory);
  const seconds = median(starts);
  print(
    `first answer after ${starts.map((value) => value.toFixed(2)).join(', ')} s; the very first start ${first.seconds.toFixed(2)} s`,
  );
  print(`resident when settled: ${resident.toFixed(0)} MiB`);
  return {
    figures: { 'start-million': { value: seconds }, 'memory-million': { value: resident } },
  };
}

/** @param services only the first is measured */
export async function measureRest({ services: [{ bin }], dns }) {
  const place = await makePlace({ bin, dns, rows: 0 });
  const server = await timedStart(place);
  await rest(server);
  const { pid } = server;
  const before = threadSeconds(pid, place.threads);
  await sleep(IDLE_SECONDS * 1_000);
  const spent = threadsSince(before, threadSeconds(pid, place.threads));
  const resident = residentBytes(pid) / MIB;
  await server.stop();
  removeDirectory(place.directory);
  const percent = (seconds) => (100 * seconds) / IDLE_SECONDS;
  const share = percent(Object.values(spent).reduce((sum, seconds) => sum + seconds, 0));
  print(
    `\nidle for ${IDLE_SECONDS} s, nothing stored, all feeds: ${share.toFixed(2)} % of a core, ${resident.toFixed(0)} MiB resident`,
  );
  const threads = Object.entries(spent).sort(([, a], [, b]) => b - a);
  print(
    `% by thread: ${threads.map(([name, seconds]) => `${name} ${percent(seconds).toFixed(2)}`).join(', ')}`,
  );
  return {
    figures: { 'memory-idle': { value: resident }, 'cpu-idle': { value: share } },
  };
}

async function makePlace({ bin, dns, rows }) {
  const directory = makeDirectory('service');
  const dataDir = join(directory, 'data');
  const settings = settingsOf(dns, dataDir);
  const { account, id, key } = unlimitedKey(settings, bin);
  const to = Date.now();
  const from = to - DAY_MS + MARGIN_MS;
  await plant({ bin, dataDir, account, key: id, rows, from, to, feeds: true });
  const threads = join(directory, 'threads');
  return { bin, directory, threads, settings, request: makeRequests(key, 1)[0] };
}

/** The service, and the seconds from the start of its process to the first assessment answered with 200. */
async function timedStart({ bin, settings, threads, request }) {
  const began = performance.now();
  const env = { ...settings, ...notingThreads(threads) };
  const server = await start(startArgs(bin), env, [...ON_SERVER_CORE, process.execPath], ownChild);
  while (!(await assesses(server.port, request))) await sleep(POLL_MS);
  return { ...server, seconds: (performance.now() - began) / 1_000 };
}

function assesses(port, bytes) {
  const [head, body] = bytes.toString().split('\r\n\r\n');
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ')),
  );
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/v1/assess', method: 'POST', headers },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode === 200));
      },
    );
    sent.once('error', () => resolve(false)).end(body);
  });
}

/** Waits until all work after a start is done. */
async function rest({ pid }) {
  await untilSettled(pid, 0, { minSeconds: 20, maxSeconds: 3_600 });
}
