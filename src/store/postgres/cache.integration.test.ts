/** Several nodes prune one database: one at a time, by the index, and without waiting for locks. */
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../test/support/expectations.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import type { CacheLimits } from '../cache-store.ts';
import { PRUNE } from './cache.ts';
import { openPostgresStore, type PostgresStore } from './postgres.ts';

const NOW = Date.UTC(2026, 4, 10);
const EXPIRED: CacheLimits = { expiredBefore: NOW, maxEntries: 1_000_000, maxBytes: 1_000_000_000 };

const open: { close?(): Promise<void>; end?(): Promise<void> }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0)) await (opened.close?.() ?? opened.end?.());
});

async function openNode(url: string): Promise<PostgresStore> {
  const store = await openPostgresStore({ url });
  open.push(store);
  return store;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  open.push(client);
  return client;
}

const FILL = `INSERT INTO knowledge SELECT 'row-' || at, 'text', $1 FROM generate_series(1, $2) AS at`;

it('is pruned by one node at a time, without waiting for locked rows', async () => {
  const url = await newMigratedDatabase();
  const [nodeA, nodeB] = [await openNode(url), await openNode(url)];
  const other = await connect(url);
  await other.query(FILL, [NOW - 1, 300]);
  await other.query('BEGIN');
  await other.query("SELECT 1 FROM knowledge WHERE name = 'row-7' FOR UPDATE");
  expect(await nodeA.cache.prune(EXPIRED, 1_000)).toMatchObject({ pruned: 299, entries: 300 });
  await other.query('COMMIT');
  // Another node is pruning.
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(7126030)');
  expect(await nodeB.cache.prune(EXPIRED, 1_000)).toMatchObject({ pruned: 0, entries: 1 });
  await other.query('COMMIT');
  expect(await nodeB.cache.prune(EXPIRED, 1_000)).toMatchObject({ pruned: 1 });
});

it('finds expired rows by the index and removes them by their row address, however large the table is', async () => {
  const url = await newMigratedDatabase();
  await openNode(url);
  const other = await connect(url);
  await other.query(FILL, [NOW + 1, 20_000]);
  await other.query('ANALYZE knowledge');
  const { rows } = await other.query(`EXPLAIN ${PRUNE}`, [1_000_000, 1_000_000_000, NOW, 200]);
  const plan = JSON.stringify(rows);
  expect(plan).toContain('Index Scan using knowledge_by_expiry');
  expect(plan).toContain('Tid Scan on knowledge');
  expect(plan).not.toMatch(/Seq Scan on knowledge\b(?!_)/);
});

it('removes rows in the order in which they are written, so that the two never deadlock', async () => {
  const url = await newMigratedDatabase();
  const store = await openNode(url);
  const other = await connect(url);
  // In the table the last name comes first.
  await other.query(
    "INSERT INTO knowledge SELECT 'row-' || (100 - at), 'text', $1 FROM generate_series(10, 90) AS at",
    [NOW],
  );
  await other.query('BEGIN');
  await other.query("SELECT 1 FROM knowledge WHERE name = 'row-10' FOR UPDATE");
  const names = Array.from({ length: 81 }, (_, at) => `row-${90 - at}`);
  const forgotten = store.decideHosts({ keys: ['*.a.example'], forget: names, by: 'jo', at: NOW });
  const waits =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  const watcher = await connect(url);
  await until(async () => (await watcher.query(waits)).rowCount === 1);
  await other.query("SELECT 1 FROM knowledge WHERE name = 'row-90' FOR UPDATE");
  await other.query('COMMIT');
  await forgotten;
  expect((await other.query('SELECT 1 FROM knowledge')).rowCount).toBe(0);
});
