import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type PgBouncer, startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { newDatabase, sharedPostgresUrl } from '../../../test/support/shared-servers.ts';

import { checkServer } from './check-server.ts';

/** Only ends a test that hangs: no test waits for a missing answer. */
const PATIENT_MS = 60_000;
const REFUSAL =
  'a pooler in between does not keep sessions; set pool_mode = session there, or connect to PostgreSQL directly';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('a server', () => {
  it('passes if it is reached directly', async () => {
    await expect(checkServer(await sharedPostgresUrl(), PATIENT_MS)).resolves.toBeUndefined();
  });

  it('that is too old is refused with its version and the oldest supported version', async () => {
    const url = await newDatabase();
    const client = await connect(url);
    // No server this old is available: this one claims to be one.
    await client.query(`CREATE SCHEMA old;
      CREATE FUNCTION old.current_setting(name text) RETURNS text LANGUAGE sql AS
        $$ SELECT CASE name WHEN 'server_version' THEN '13.23' ELSE '130023' END $$;
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = old, pg_catalog, public', current_database()); END $$`);
    await expect(checkServer(url, PATIENT_MS)).rejects.toThrow(
      /^PostgreSQL 13\.23 is too old, the oldest that works is 14$/,
    );
  });
});

it('a pooler with several processes is refused in transaction mode, and passes in session mode', async () => {
  const pooler = await startPgBouncer(await newDatabase(), {}, 4);
  onTestFinished(pooler.close);
  for (let round = 0; round < 10; round += 1) {
    await expect(checkServer(pooler.url('transaction'), PATIENT_MS)).rejects.toThrow(REFUSAL);
    await expect(checkServer(pooler.url('session'), PATIENT_MS)).resolves.toBeUndefined();
  }
});

describe.each([
  ['as it comes', {}],
  ['with one connection to the server', { default_pool_size: '1' }],
  ['that uses its connections in turn', { server_round_robin: '1' }],
  ['that never clears a session', { server_reset_query: '' }],
] as [string, Record<string, string>][])('a pooler %s', (_, settings) => {
  let url: string;
  let pooler: PgBouncer;
  beforeAll(async () => {
    url = await newDatabase();
    pooler = await startPgBouncer(url, settings);
  });
  afterAll(() => pooler?.close());

  it.each(['transaction', 'statement'] as const)('is refused in %s mode', async (mode) => {
    await expect(checkServer(pooler.url(mode), PATIENT_MS)).rejects.toThrow(REFUSAL);
  });

  it.each(['transaction', 'statement'] as const)(
    'is refused in %s mode even while others use it',
    async (mode) => {
      const clients = await Promise.all(Array.from({ length: 6 }, () => connect(pooler.url(mode))));
      let busy = true;
      const using = clients.map(async (client) => {
        while (busy) {
          await client.query('SELECT pg_sleep(0.002)');
          await sleep(Math.random() * 4);
        }
      });
      for (let round = 0; round < 5; round += 1)
        await expect(checkServer(pooler.url(mode), PATIENT_MS)).rejects.toThrow(REFUSAL);
      busy = false;
      await Promise.all(using);
    },
  );

  it('passes in session mode', async () => {
    if (settings.default_pool_size === undefined)
      return expect(checkServer(pooler.url('session'), PATIENT_MS)).resolves.toBeUndefined();
    await expect(checkServer(pooler.url('session'), 2_000)).rejects.toThrow(
      /no second connection.*default_pool_size/,
    );
  });
});
