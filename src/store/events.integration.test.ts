import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { openSqlite } from '../platform/sqlite-driver.ts';
import { DUE, readDeliveries } from './events.ts';
import { openSqliteStore } from './sqlite/sqlite.ts';
import { toSqlite } from './to-sqlite.ts';

it('the next deliveries, and those of a state, are read in the order of an index, however many there are', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-due-'));
  await openSqliteStore({ directory, forTests: BUILT_THREADS }).close();
  const database = openSqlite(join(directory, 'gatehouse.db'), { readOnly: true });
  const { sql } = toSqlite({ sql: DUE, values: ['dst_1', 0, 4] });
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('dst_1', 0, 4) as { detail: string }[];
  const details = plan.map(({ detail }) => detail).join('\n');
  expect(details).toMatch(/USING INDEX event_deliveries_due \(destination_id=\? AND next_at<\?\)/);
  expect(details).toMatch(/event_deliveries_pending \(destination_id=\? AND object=\? AND event_seq<\?\)/);
  expect(details).not.toMatch(/TEMP B-TREE|SCAN/);
  const log = toSqlite(readDeliveries('acc_1', 'dst_1', { state: 'failed', after: 9, limit: 4 }));
  const logPlan = database.prepare(`EXPLAIN QUERY PLAN ${log.sql}`).all(...log.values) as typeof plan;
  const logDetails = logPlan.map(({ detail }) => detail).join('\n');
  expect(logDetails).toMatch(/event_deliveries_by_state \(destination_id=\? AND state=\? AND event_seq<\?\)/);
  expect(logDetails).not.toMatch(/TEMP B-TREE|SCAN/);
  database.close();
  rmSync(directory, { recursive: true });
});
