import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILT_THREADS } from '../../test/support/built-threads.ts';
import { openSqlite } from '../platform/sqlite-driver.ts';
import { READ_EXPIRING } from './lists.ts';
import { openSqliteStore } from './sqlite/sqlite.ts';
import { toSqlite } from './to-sqlite.ts';

it('entries that expire soon are found by an index, however many others there are', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-expiring-'));
  await openSqliteStore({ directory, forTests: BUILT_THREADS }).close();
  const database = openSqlite(join(directory, 'gatehouse.db'), { readOnly: true });
  const values = ['acc_1', 0, 1, 500];
  const { sql } = toSqlite({ sql: READ_EXPIRING, values });
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
  expect(plan[0]?.detail).toMatch(
    /USING INDEX list_entries_by_expiry \(account_id=\? AND expires_at>\? AND expires_at<\?\)/,
  );
  database.close();
  rmSync(directory, { recursive: true });
});
