// Starts the processes that a bench compares, and reads what they cost.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const BIN = fileURLToPath(new URL('../bin/gatehouse.js', import.meta.url));

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [, , ...ARGS] = scripts.start.split(' ');
/** Arguments of Node.js to start the service: the same options as from `npm start`. */
export const startArgs = (bin = BIN) => ARGS.map((arg) => (arg === 'bin/gatehouse.js' ? bin : arg));

/**
 * Starts a Node.js program that prints a line with `"url":"…"` when it listens. `command`: what runs Node.js, if not Node.js directly;
 * `onChild` gets the process immediately.
 */
export function start(args, env = {}, command = [process.execPath], onChild = () => {}) {
  const child = spawn(command[0], [...command.slice(1), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onChild(child);
  return new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', (status) => reject(new Error(`${args[0]} ended with ${status}\n${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const url = /"url":"([^"]+)"[^\n]*"msg":"listening"/.exec(output)?.[1];
      if (url === undefined) return;
      child.stdout.removeAllListeners('data').resume();
      resolve({
        pid: child.pid,
        port: Number(new URL(url).port),
        ended: () => child.exitCode !== null || child.signalCode !== null,
        stop: (signal = 'SIGTERM') =>
          new Promise((done) => {
            child.removeAllListeners('exit');
            if (child.exitCode !== null || child.signalCode !== null) return done();
            child.once('exit', done);
            child.kill(signal);
          }),
      });
    });
  });
}

/** Runs a `gatehouse` command and reads its JSON. */
export function gatehouse(args, env, bin = BIN) {
  return JSON.parse(
    execFileSync(process.execPath, [bin, ...args, '--json'], { cwd: ROOT, env: { ...process.env, ...env } }),
  );
}

const TICKS_A_SECOND = 100;

/** CPU seconds that a process and its children that have ended used, user and system, all threads; NaN if the platform does not report it. */
export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** A process and its living children. */
export function familyOf(pid) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);
  } catch {
    return -1;
  }
}

/** A port on which no process listens now. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
