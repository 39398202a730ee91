// The machine of a bench: its two cores, which process runs on which, and how much other processes use meanwhile.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { find } from '../scripts/system-package.mjs';
import { cpuSeconds } from './process.mjs';

const TICKS_A_SECOND = 100;

/** The cores that this process may use; empty if the platform does not report them. */
const CORES = allowedCores();
/** Servers run on the first core, their load generators on the second. */
export const IS_PINNED = CORES.length >= 2 && find(['taskset']) !== undefined;

/** The start of a command that runs on the servers' core. */
export const ON_SERVER_CORE = IS_PINNED ? ['taskset', '-c', String(CORES[0])] : [];

/** Moves this process, and what it starts from now on, to the core of the load, or back to both. */
export function useCores(which) {
  if (!IS_PINNED) return;
  const cores = which === 'load' ? [CORES[1]] : CORES.slice(0, 2);
  spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)]);
}

/** The commands of two processes that each keep a core busy. They end by themselves, should nothing be left that ends them. */
export const BUSY_LOOPS = [0, 1].map((index) => [
  ...(IS_PINNED ? ['taskset', '-c', String(CORES[index])] : []),
  process.execPath,
  '-e',
  'const end = Date.now() + 600_000; while (Date.now() < end);',
]);

export function describeMachine() {
  const pinned = IS_PINNED
    ? 'servers on one core, the load on another'
    : 'NOT pinned to cores: taskset or a second core is missing';
  return `Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}; ${pinned}; load before ${loadavg()[0].toFixed(2)}`;
}

/**
 * Starts to measure. The returned function returns how much other processes have used since on all cores together, as a
 * share of a core. `pids` returns the bench's processes that still run; ended child processes also count as its own. NaN if /proc is missing.
 */
export function watchOthers(pids) {
  const othersSeconds = () =>
    busySeconds() - ownSeconds() - pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const [before, started] = [othersSeconds(), performance.now()];
  return () => ((othersSeconds() - before) * 1_000) / (performance.now() - started);
}

function ownSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** Used CPU time of all cores, including time that a hypervisor took. */
function busySeconds() {
  try {
    const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]
      .split(/\s+/)
      .map(Number);
    return (user + nice + system + irq + softirq + steal) / TICKS_A_SECOND;
  } catch {
    return Number.NaN;
  }
}

function allowedCores() {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
    return list.split(',').flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
  } catch {
    return [];
  }
}
