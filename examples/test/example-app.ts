/** Runs an example application by `npm start`, on a port that the kernel chooses. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { npmEnvironment } from '../../test/support/npm-environment.ts';
import type { Environment } from '../../test/support/service.ts';
import { nodeFor } from './installed-examples.ts';

/** Only ends an application that hangs. */
const START_MS = 60_000;
const POLL_MS = 20;

export interface ExampleApp {
  readonly url: string;
  /** Everything printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts an application, which must print its address when it listens.
 * @param choosesPort whether it takes 0 for a port and prints the one that it got
 */
export async function startExample(
  folder: string,
  environment: Environment,
  choosesPort = true,
): Promise<ExampleApp> {
  const own = { PORT: choosesPort ? '0' : `${await freePort()}`, ...(await nodeFor(folder)) };
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...npmEnvironment(), ...own, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, because npm does not forward signals to its child.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const stop = async () => {
    endGroup(child);
    await closed;
  };
  const deadline = Date.now() + START_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    const port = /https?:\/\/[^\s/]+:(\d+)/.exec(output)?.[1];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, output: () => output, stop };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await stop();
  throw new Error(`the example did not start:\n${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
