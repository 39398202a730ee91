/** Runs a snippet in a separate process, which reads signups and writes the outcome of each. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '../../test/support/service.ts';

export interface SnippetOutcome {
  /** The message for the visitor; `null` if the signup continues. */
  readonly denied: string | null;
  /** Whether the user was marked as challenged, if the snippet supports that. */
  readonly marked: boolean;
}

export interface SnippetRunner {
  signUp(email: string, ip: string): Promise<SnippetOutcome>;
  /** Other output, without the outcomes. */
  log(): string;
  stop(): Promise<void>;
}

/** @param command a program and its arguments */
export function runSnippet(
  [program = '', ...args]: readonly string[],
  environment: Environment,
): SnippetRunner {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: 'pipe' });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const output = collect(child);
  let outcomes = 0;
  return {
    async signUp(email, ip) {
      child.stdin.write(`${JSON.stringify({ email, ip })}\n`);
      outcomes += 1;
      while (output.outcomes.length < outcomes) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${program} ended:\n${output.log}`);
        await output.next();
      }
      return JSON.parse(output.outcomes[outcomes - 1] as string) as SnippetOutcome;
    },
    log: () => output.log,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

function collect(child: ChildProcess) {
  let rest = '';
  let wake = () => {};
  const output = {
    outcomes: [] as string[],
    log: '',
    next: () =>
      new Promise<void>((done) => {
        wake = done;
      }),
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('outcome ')) output.outcomes.push(line.slice('outcome '.length));
      else output.log += `${line}\n`;
    wake();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.log += text;
  });
  child.once('error', (error) => {
    output.log += String(error);
  });
  child.once('close', () => wake());
  return output;
}
