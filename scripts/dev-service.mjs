// Runs the service of dist-dev for `npm run dev`: starts it again after a change, and says whether it answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EMITTED } from './emit-sources.mjs';

/** The line that says that it answers; nobody opens its own address here. */
const LISTENING = /^\S+ info\s+listening\b/;

/**
 * @param options.port its own, behind the dashboard's
 * @param options.environment its settings
 * @param options.print gets each line of its log
 */
export function createDevService({ port, environment, print }) {
  let child;
  /** Whether the latest start succeeded. */
  let started = Promise.resolve(false);

  function start() {
    const args = ['--enable-source-maps', join(EMITTED, 'main.js'), 'start', '--text'];
    const own = spawn(process.execPath, args, {
      env: { ...process.env, ...environment, PORT: String(port), HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = own;
    return new Promise((done) => {
      own.once('close', () => done(false));
      for (const output of [own.stdout, own.stderr])
        eachLine(output, (line) => {
          if (LISTENING.test(line)) done(true);
          else print(line);
        });
    });
  }

  async function stop() {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  return {
    /** Stops it, if it runs, and starts it. @returns whether it answers now */
    restart() {
      started = started.then(stop).then(start);
      return started;
    },
    /** Whether it answers, after a start that has begun. */
    answers: () => started,
    stop,
  };
}

function eachLine(output, take) {
  let rest = '';
  output.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) take(line);
  });
}
