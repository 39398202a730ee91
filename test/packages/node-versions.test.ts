/** The supported versions of Node.js, with the oldest and the newest: each starts, assesses, stops, and gives no warnings. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/command.ts';
import { IS_LONG } from '../support/long-version.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { findNode, type NodeBinary } from '../support/node-binary.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';
import { newDatabase, sharedRedisUrl } from '../support/shared-servers.ts';

const VERSIONS = IS_LONG ? ['20.19.0', '22', '24', 'latest'] : ['20.19.0', 'latest'];
const AT_ONCE = 2;
const BIN = 'bin/gatehouse.js';
/** Modules that the service loads only when needed, or only with one of its stores. */
const LOADED_LATE = `
  import { hash } from '@node-rs/argon2';
  import Database from 'libsql';
  import { openSqlite } from './dist/platform/sqlite-driver.js';
  await Promise.all(['better-auth', 'ioredis', 'pg'].map((name) => import(name)));
  const { one } = new Database(':memory:').prepare('SELECT 1 AS one').get();
  const { two } = openSqlite(':memory:').prepare('SELECT 2 AS two').get();
  process.stdout.write([one, two].join('') + (await hash('word')).slice(0, 9));`;

/** An installation with a live key. */
interface Customer {
  readonly installation: Installation;
  readonly live: string;
}

const run = promisify(execFile);
const binaries = new Map<string, NodeBinary>();
const customers: Customer[] = [];
/** All versions use the same data folder in turn. */
let embedded: Customer;
beforeAll(async () => {
  const waiting = [...VERSIONS];
  const fetchNext = async (): Promise<void> => {
    const version = waiting.shift();
    if (version === undefined) return;
    const found = await findNode(version);
    binaries.set(version, found);
    isSkipped('missing' in found ? `Node.js ${version}: ${found.missing}` : undefined);
    await fetchNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
  embedded = await createCustomer();
}, 320_000);
afterAll(async () => {
  for (const { installation } of customers) await installation.remove();
});

async function createCustomer(environment: Environment = {}): Promise<Customer> {
  const installation = await createInstallation(environment);
  const customer = { installation, live: (await installation.account('pro')).live };
  customers.push(customer);
  return customer;
}

/** Skips the test if this version is not installed. */
function pathOf(version: string, skip: (reason: string) => never): string {
  const found = binaries.get(version) ?? { missing: 'it was not asked for' };
  return 'path' in found ? found.path : skip(found.missing);
}

async function serves(node: string, { installation, live }: Customer): Promise<void> {
  const service = await installation.spawn({}, [node, BIN]);
  const response = await fetch(`${service.url}/v1/assess`, {
    method: 'POST',
    headers: { authorization: `Bearer ${live}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'someone@mailinator.com', ip: '203.0.113.7' }),
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ verdict: 'block' });
  expect(await service.stop()).toBe(0);
  // Node.js prints its warnings like this: `(node:1) Warning:`, `(node:1) [DEP0040] DeprecationWarning:`.
  expect(service.output()).not.toMatch(/\(node:\d+\)|ExperimentalWarning/);
}

describe.each(VERSIONS)('Node.js %s', (version) => {
  it('prints the version, and loads its native modules', async ({ skip }) => {
    const node = pathOf(version, skip);
    const [printed, loaded] = await Promise.all([
      run(node, [BIN, '--version'], { cwd: ROOT }),
      run(node, ['--input-type=module', '-e', LOADED_LATE], { cwd: ROOT }),
    ]);
    expect(printed).toEqual({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
    expect(loaded).toEqual({ stdout: '12$argon2id', stderr: '' });
  });

  it('starts, assesses with a live key, and stops, without a warning', async ({ skip }) => {
    await serves(pathOf(version, skip), embedded);
  });
});

describe('the newest Node.js', () => {
  it('does the same on PostgreSQL and Redis', async ({ skip }) => {
    const node = pathOf('latest', skip);
    const servers = {
      DATABASE_URL: await newDatabase(),
      REDIS_URL: await sharedRedisUrl(),
    };
    await serves(node, await createCustomer(servers));
  });
});
