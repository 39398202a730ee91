// The compared servers: each runs while SIGSTOP suspends the others, so that unfinished work of a load does not run during the next load.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeDirectory, ownChild, removeDirectory } from './clean-up.mjs';
import { load } from './load.mjs';
import { ON_SERVER_CORE } from './machine.mjs';
import { makeRequests, unlimitedKey } from './measure.mjs';
import { BIN, cpuSeconds, start, startArgs } from './process.mjs';
import { measureIdle, untilSettled } from './settled.mjs';
import { threadSeconds, threadsSince } from './threads.mjs';

const ECHO = fileURLToPath(new URL('./echo.mjs', import.meta.url));
const NOTE_THREADS = fileURLToPath(new URL('./note-threads.cjs', import.meta.url));
/** After it resumes, a service notices that time has passed, and reads again what may have changed. */
const AWAKE_MS = 1_500;
const REQUESTS = 200_000;
const WARM_UP_CONNECTIONS = 32;

/** The settings of every service here: no feeds, no registry, and a resolver that knows every name. */
export const settingsOf = (dns, dataDir) => ({
  PORT: '0',
  GATEHOUSE_DATA_DIR: dataDir,
  GATEHOUSE_DNS_SERVERS: dns.address,
  GATEHOUSE_RDAP_BOOTSTRAP_URL: 'off',
  GATEHOUSE_FEEDS: 'off',
});

/** Options for the start of a service, so that `threadSeconds` can identify its threads with this file. */
export const notingThreads = (file) => ({ BENCH_THREADS: file, NODE_OPTIONS: `--require ${NOTE_THREADS}` });

/** @param onCore whether it has the servers' core alone; otherwise it has all cores */
export async function startEcho({ onCore = true, script = ECHO, name = 'echo', env = {} } = {}) {
  const server = await start([script], env, commandOf(onCore), ownChild);
  return contender({ ...server, name, requests: makeRequests('echo', REQUESTS) });
}

/** `env` is added to the settings; `prepare` is called between the key and the start. */
export async function startService({ name, dns, bin = BIN, env = {}, onCore = true, prepare, dataDir }) {
  const directory = makeDirectory('service');
  const settings = { ...settingsOf(dns, dataDir ?? join(directory, 'data')), ...env };
  const key = unlimitedKey(settings, bin);
  await prepare?.({ ...key, settings });
  const threads = join(directory, 'threads');
  const launch = { ...settings, ...notingThreads(threads) };
  const server = await start(startArgs(bin), launch, commandOf(onCore), ownChild);
  return contender({
    ...server,
    name,
    key,
    threads,
    idle: undefined,
    requests: makeRequests(key.key, REQUESTS),
    async stop() {
      await server.stop();
      removeDirectory(directory);
    },
  });
}

const commandOf = (onCore) => [...(onCore ? ON_SERVER_CORE : []), process.execPath];

function contender(server) {
  let isStopped = false;
  return Object.assign(server, {
    pause() {
      isStopped = true;
      process.kill(server.pid, 'SIGSTOP');
    },
    async resume() {
      process.kill(server.pid, 'SIGCONT');
      if (isStopped && server.threads !== undefined) await sleep(AWAKE_MS);
      isStopped = false;
    },
    isService: server.threads !== undefined,
  });
}

/** Suspends all contenders except one, and resumes that one. */
export async function leaveOnly(contender, all) {
  for (const other of all) if (other !== contender) other.pause();
  await contender.resume();
}

export async function warmUp(contender, all, seconds) {
  await leaveOnly(contender, all);
  const { port, requests } = contender;
  await withCost(contender, () => load({ port, requests, connections: WARM_UP_CONNECTIONS, seconds }));
}

/**
 * The CPU that a contender uses for `work`, in seconds: including later work if it is a service, without
 * its use when idle. Adds its threads, the time until it was idle, and the bytes that it wrote to disk.
 */
export async function withCost(contender, work, { settleSeconds } = {}) {
  const { pid, threads } = contender;
  if (contender.isService) contender.idle ??= await measureIdle(pid);
  const spent = contender.cpuSeconds ?? (() => cpuSeconds(pid));
  const before = [spent(), threadSeconds(pid, threads), writtenBytes(pid)];
  const result = await work();
  const settled = contender.isService
    ? await untilSettled(pid, contender.idle, { minSeconds: settleSeconds })
    : { waitedSeconds: 0, isSettled: true };
  const idleSeconds = settled.waitedSeconds * (contender.idle ?? 0);
  return {
    ...result,
    ...settled,
    seconds: spent() - before[0] - idleSeconds,
    threads: threadsSince(before[1], threadSeconds(pid, threads)),
    written: writtenBytes(pid) - before[2],
  };
}

/** Bytes that the process has written to disk; NaN if the platform does not report it. */
function writtenBytes(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8');
    const field = (name) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)[1]);
    return field('write_bytes') - field('cancelled_write_bytes');
  } catch {
    return Number.NaN;
  }
}
