import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import { READ_EXPIRING } from '../lists.ts';

let client: pg.Client | undefined;
afterEach(async () => {
  await client?.end();
});

const FILL = `INSERT INTO list_entries (id, account_id, action, kind, value, shown, author, created_at, expires_at, hits, version)
  SELECT 'lst_' || at, 'acc_1', 'deny', 'ip', 'value ' || at, 'value', 'jo', 1, CASE WHEN at % 10 = 0 THEN 1000 + at END, 0, at
  FROM generate_series(1, 20000) AS at`;

it('entries that expire soon are found by an index, however many others there are', async () => {
  client = new pg.Client({ connectionString: await newMigratedDatabase() });
  await client.connect();
  await client.query(`INSERT INTO accounts (id, name, plan, overage, time_zone, created_at, version)
    VALUES ('acc_1', 'shop', 'pro', false, 'UTC', 1, 1)`);
  await client.query(FILL);
  await client.query('ANALYZE list_entries');
  const { rows } = await client.query(`EXPLAIN ${READ_EXPIRING}`, ['acc_1', 1_000, 1_200, 500]);
  const plan = JSON.stringify(rows);
  expect(plan).toContain('list_entries_by_expiry');
  expect(plan).not.toContain('Seq Scan');
});
