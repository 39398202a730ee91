// The CPU of a process by thread: by the module it runs, as note-threads.cjs notes it, or by what Node.js uses it for.
import { readdirSync, readFileSync } from 'node:fs';

/** Takes from `file` which thread is which. Returns CPU seconds of living threads by name; empty where there is no /proc. */
export function threadSeconds(pid, file) {
  const name = namesIn(file);
  const seconds = {};
  for (const id of threadIds(pid)) {
    const spent = runSeconds(`/proc/${pid}/task/${id}`);
    if (spent !== undefined) seconds[name(id, pid)] = (seconds[name(id, pid)] ?? 0) + spent;
  }
  return seconds;
}

/** @returns what each has used more than before, without those that used nothing */
export function threadsSince(before, after) {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, seconds]) => [name, seconds - (before[name] ?? 0)])
      .filter(([, seconds]) => seconds > 0),
  );
}

function threadIds(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** To the nanosecond where the kernel says so. */
function runSeconds(folder) {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return undefined;
  }
}

function namesIn(file) {
  const lines = readLines(file);
  const modules = new Map(lines.filter((line) => line.module).map(({ worker, module }) => [worker, module]));
  const workers = new Map(lines.filter((line) => line.native).map(({ worker, native }) => [native, worker]));
  const v8 = new Set(lines.flatMap(({ started = [] }) => started));
  return (id, pid) => {
    if (id === pid) return 'main';
    const worker = workers.get(id);
    if (worker !== undefined) return modules.get(worker) ?? `worker ${worker}`;
    return v8.has(id) ? 'V8' : 'pool';
  };
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
