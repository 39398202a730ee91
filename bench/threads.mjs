// CPU of a process by thread: named by the module that it runs (see note-threads.cjs), or by its purpose in Node.js.
import { readdirSync, readFileSync } from 'node:fs';

/** Reads the names of threads from `file`. Returns CPU seconds of living threads by name; empty if there is no /proc. */
export function threadSeconds(pid, file) {
  const name = namesIn(file);
  const seconds = {};
  for (const id of threadIds(pid)) {
    const spent = runSeconds(`/proc/${pid}/task/${id}`);
    if (spent !== undefined) seconds[name(id, pid)] = (seconds[name(id, pid)] ?? 0) + spent;
  }
  return seconds;
}

/** @returns the CPU that each thread has used since, without threads that used none */
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

/** In nanoseconds if the kernel reports them. */
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
