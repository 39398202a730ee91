/** A service that has ended, or could not start, leaves nothing behind in its process: no timer, no thread, no socket. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, type TestContext } from 'vitest';
import { ROOT } from './support/command.ts';
import { createInstallation, type Environment, type Installation } from './support/service.ts';
import { newDatabase, sharedRedisUrl } from './support/shared-servers.ts';

const PROGRAM = resolve(import.meta.dirname, 'support/what-remains.mjs');
const KEY = `sk_live_${'0123456789'.repeat(4)}`;

interface Outcome {
  readonly outcome: string;
  readonly remaining: readonly string[];
}

type Settings = (installation: Installation, test: TestContext) => Environment | Promise<Environment>;

async function remains(test: TestContext, scenario: 'start' | 'use', settings: Settings): Promise<Outcome> {
  const installation = await createInstallation();
  test.onTestFinished(installation.remove);
  const env = {
    ...installation.environment,
    ...(await settings(installation, test)),
    GATEHOUSE_BOOTSTRAP_KEY: KEY,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ROOT, scenario], { env });
  return JSON.parse(stdout) as Outcome;
}

it.concurrent.for<[string, 'start' | 'use', Settings]>([
  ['a service that only started', 'start', () => ({})],
  ['a service that answered signups', 'use', () => ({ GATEHOUSE_METRICS_PORT: '0' })],
  ['a service whose Redis is away', 'use', () => ({ REDIS_URL: 'redis://127.0.0.1:1' })],
  [
    'a service on PostgreSQL and Redis',
    'use',
    async () => ({ DATABASE_URL: await newDatabase(), REDIS_URL: await sharedRedisUrl() }),
  ],
])('%s leaves nothing behind', async ([, scenario, settings], test) => {
  expect(await remains(test, scenario, settings)).toEqual({ outcome: 'closed', remaining: [] });
});

it.concurrent.for<[string, RegExp, Settings]>([
  ['whose port is taken', /^cannot listen on/, async (_, test) => ({ PORT: await takenPort(test) })],
  [
    'whose metrics port is taken',
    /^cannot listen on/,
    async (_, test) => ({ GATEHOUSE_METRICS_PORT: await takenPort(test) }),
  ],
  ['whose PostgreSQL is away', /^DATABASE_URL: /, () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })],
  [
    'whose file of feeds cannot be read',
    /must be an object/,
    ({ directory }) => {
      const file = join(directory, 'feeds.json');
      writeFileSync(file, '{"feeds": 3}');
      return { GATEHOUSE_FEEDS_FILE: file };
    },
  ],
])('a service %s leaves nothing behind', async ([, message, settings], test) => {
  const { outcome, remaining } = await remains(test, 'start', settings);
  expect(outcome).toMatch(message);
  expect(remaining).toEqual([]);
});

async function takenPort({ onTestFinished }: TestContext): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return String((server.address() as { port: number }).port);
}
