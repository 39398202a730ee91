import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { newDatabase } from '../../../test/support/shared-servers.ts';

import { connectionConfig, PostgresConnection } from './connection.ts';
import { openDatabase } from './database.ts';

const LAX = [
  'synchronous_commit = off',
  "statement_timeout = '7s'",
  "lock_timeout = '7s'",
  "idle_session_timeout = '7s'",
  "idle_in_transaction_session_timeout = '7s'",
];

/** With database settings that would do harm. */
async function laxDatabase(): Promise<string> {
  const url = await newDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  for (const setting of LAX) await client.query(`ALTER DATABASE ${name} SET ${setting}`);
  await client.end();
  return url;
}

describe('a connection', () => {
  it('has its own settings, whatever the database sets, directly and through a pooler', async () => {
    const url = await laxDatabase();
    const pooler = await startPgBouncer(url);
    onTestFinished(pooler.close);
    for (const place of [url, pooler.url('session')]) {
      const database = openDatabase({ url: place, connections: 2, settings: { jit: 'off' } });
      const show = async (name: string) =>
        Object.values((await database.query(`SHOW ${name}`))[0] as object)[0] as string;
      const shown = await Promise.all(
        [...LAX.map((setting) => setting.split(' ')[0] as string), 'jit'].map(show),
      );
      expect(shown).toEqual(['on', '810ms', '0', '0', '4500ms', 'off']);
      await database.close();
    }
  });

  it('fails if a pooler loses its settings', async () => {
    const pooler = await startPgBouncer(await laxDatabase(), { server_round_robin: '1' });
    onTestFinished(pooler.close);
    const url = pooler.url('transaction');
    // Two connections to the server, used in turn.
    const others = [0, 1].map(() => new pg.Client({ connectionString: url }));
    for (const other of others) await other.connect();
    // Each has one while it is in a transaction.
    for (const other of others) await other.query('BEGIN');
    const pids = await Promise.all(others.map((other) => other.query('SELECT pg_backend_pid() AS pid')));
    expect(new Set(pids.map(({ rows }) => rows[0].pid)).size).toBe(2);
    for (const other of others) await other.query('COMMIT');
    const connection = new PostgresConnection(connectionConfig({ url, connectMs: 5_000 }));
    await expect(connection.connect()).rejects.toThrow(
      /^synchronous_commit is off again, .*: a pooler in between does not keep sessions; set pool_mode = session/,
    );
    const database = openDatabase({ url, connections: 1 });
    await expect(database.query('SELECT 1')).rejects.toThrow(/does not keep sessions/);
    await database.close();
    for (const other of others) await other.end();
  });

  it('is opened in the same way everywhere', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const making = files
      .filter((file) => file.endsWith('.ts') && !/\.(test|suite)\.ts$/.test(file))
      .filter((file) =>
        /new pg\.Client|new pg\.Pool/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
      );
    // The first connects before anything may be set, the second through its pool. The third never connects: it only reads a host name.
    expect(making.sort()).toEqual(['check-server.ts', 'database.ts', 'unusable.ts']);
  });
});
