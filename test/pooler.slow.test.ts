/** The built service behind a real PgBouncer: it works in session mode, and does not start in any other mode. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from './support/client.ts';
import { launch } from './support/crash-process.ts';
import { HANG_MS } from './support/long-version.ts';
import { type PgBouncer, startPgBouncer } from './support/pgbouncer.ts';
import { plant } from './support/plant.ts';
import { createInstallation, type Installation } from './support/service.ts';
import { newDatabase } from './support/shared-servers.ts';

const PATIENCE_MS = 180_000;
const WITNESS = `CREATE TABLE witnessed (setting text);
  CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witnessed VALUES (current_setting('synchronous_commit') || ' ' || current_setting('statement_timeout'));
    RETURN NULL;
  END $$;
  CREATE TRIGGER witness AFTER INSERT ON assessments FOR EACH ROW EXECUTE FUNCTION witness();`;

let url: string;
let pooler: PgBouncer;
let installation: Installation;
let direct: pg.Client;
beforeAll(async () => {
  url = await newDatabase();
  direct = new pg.Client({ connectionString: url });
  await direct.connect();
  const name = new URL(url).pathname.slice(1);
  await direct.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  pooler = await startPgBouncer(url, { default_pool_size: '25' });
  installation = await createInstallation({ DATABASE_URL: pooler.url('session') });
}, PATIENCE_MS);
afterAll(async () => {
  await installation?.remove();
  await pooler?.close();
  await direct?.end();
});

it(
  'serves through a pooler in session mode, and every commit is durable and has its deadline',
  async () => {
    const { live } = await plant(installation);
    await direct.query(WITNESS);
    // A separate process has the deadlines of the product.
    const service = await installation.spawn();
    const client = createClient(service.url);
    expect((await client.send({ path: '/readyz' })).status).toBe(200);
    const { text } = await client.send({ path: '/metrics' });
    expect(text).toMatch(/^gatehouse_database_connections\{pool="commits"\} 2$/m);
    const answer = await client.assess({ email: 'jane.doe@example.com', ip: '81.20.1.1' }, live);
    expect(answer.status).toBe(200);
    expect((await client.get(answer.json.request_id, live)).text).toBe(answer.text);
    // The rehearsals of the start were undone as well.
    const { rows } = await direct.query('SELECT setting FROM witnessed');
    // Nine tenths of the deadline.
    expect(rows).toEqual([{ setting: 'on 810ms' }]);
    const [key] = (await direct.query("SELECT id FROM keys WHERE mode = 'live'")).rows;
    expect(await installation.run('key', 'revoke', key.id)).toMatchObject({ status: 0 });
    await expect.poll(async () => (await client.usage(live)).status, { timeout: HANG_MS }).toBe(401);
    client.close();
    expect(await service.stop()).toBe(0);
  },
  PATIENCE_MS,
);

it.each(['transaction', 'statement'] as const)(
  'does not start behind a pooler in %s mode, and says what to set',
  async (mode) => {
    const environment = { ...installation.environment, DATABASE_URL: pooler.url(mode) };
    const { status, stderr } = await launch({ environment });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^gatehouse: DATABASE_URL: cannot use the database 127\.0\.0\.1:\d+\/\w+: a pooler in between does not keep sessions; set pool_mode = session there, or connect to PostgreSQL directly\n$/,
      ),
    });
  },
);
