/** Runs the `gatehouse` command in a pseudo-terminal, as a person would, by `script` of util-linux. */
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { ROOT } from './command.ts';
import type { Environment } from './service.ts';

const BIN = resolve(ROOT, 'bin/gatehouse.js');
const PATIENCE_MS = 180_000;
const INTERRUPT = '\u0003';

/** Why there is no terminal here; `undefined` if there is one. */
export const NO_TERMINAL = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
)
  ? undefined
  : 'a terminal: install util-linux (bsdutils on Debian), for `script`';

/** Text that the terminal shows until the command ends. When `until` appears, this is typed: by default Ctrl-C, which interrupts the command. */
export function inTerminal(
  args: readonly string[],
  environment: Environment,
  until?: RegExp,
  typed: string = INTERRUPT,
): Promise<string> {
  const quoted = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', quoted, '/dev/null'], {
    cwd: ROOT,
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let shown = '';
  let interrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (interrupted || until?.test(shown) !== true) return;
    interrupted = true;
    child.stdin.write(typed);
  });
  return new Promise((done) =>
    child.once('close', () => {
      clearTimeout(late);
      done(shown.replaceAll('\r\n', '\n'));
    }),
  );
}
