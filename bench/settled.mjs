// Checks whether a service still works on earlier requests: its index, its checkpoints, its garbage collection.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './process.mjs';

const WINDOW_MS = 1_000;
/** A service also pauses between two pieces of work. After this many quiet seconds in a row, no work is left. */
const QUIET_SECONDS = 6;
/** The kernel counts CPU time in hundredths of a second. */
const TOLERANCE = 0.03;
const MAX_SECONDS = 180;
/** A start with ten million stored signups may have much to index. */
const MAX_START_SECONDS = 3_600;
const IDLE_SECONDS = 8;

/** The share of a core that a process without requests uses, after the work of its start is done. */
export async function measureIdle(pid) {
  await untilSettled(pid, 0, { maxSeconds: MAX_START_SECONDS });
  const [seconds, started] = [cpuSeconds(pid), performance.now()];
  await sleep(IDLE_SECONDS * 1_000);
  return ((cpuSeconds(pid) - seconds) * 1_000) / (performance.now() - started);
}

/** Waits until a process uses no more than when idle. `minSeconds`: the minimum wait. */
export async function untilSettled(pid, idle, { minSeconds = 0, maxSeconds = MAX_SECONDS } = {}) {
  const started = performance.now();
  const waited = () => (performance.now() - started) / 1_000;
  let quiet = 0;
  while (waited() < maxSeconds) {
    const [before, began] = [cpuSeconds(pid), performance.now()];
    if (Number.isNaN(before)) break;
    await sleep(WINDOW_MS);
    const share = ((cpuSeconds(pid) - before) * 1_000) / (performance.now() - began);
    quiet = share <= idle + TOLERANCE ? quiet + 1 : 0;
    if (quiet >= QUIET_SECONDS && waited() >= minSeconds) return { isSettled: true, waitedSeconds: waited() };
  }
  return { isSettled: false, waitedSeconds: waited() };
}
