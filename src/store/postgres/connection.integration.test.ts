import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { startPostgresServer } from '../../../test/support/postgres-server.ts';
import { createInstallation } from '../../../test/support/service.ts';
import { newDatabase } from '../../../test/support/shared-servers.ts';

import { readDatabaseUrl } from '../../config/database-url.ts';
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

  it('reaches the server through its Unix socket, in each form that libpq has', async () => {
    // The path of a socket is short, and the server may run as another user.
    const folder = mkdtempSync('/tmp/gh-');
    chmodSync(folder, 0o777);
    const server = await startPostgresServer({ settings: { unix_socket_directories: folder } });
    onTestFinished(async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const { port, username, pathname } = new URL(server.url);
    const encoded = encodeURIComponent(folder);
    for (const url of [
      `postgres://${pathname}?host=${folder}&port=${port}&user=${username}`,
      `postgresql://${pathname}?user=${username}&host=${encoded}&port=${port}`,
      `postgres://${username}@${pathname}?host=${folder}&port=${port}`,
      `postgres://${username}:secret@${pathname}?host=${folder}&port=${port}`,
      `postgresql://${username}@${encoded}:${port}${pathname}`,
    ]) {
      const database = openDatabase({ url: readDatabaseUrl(url), connections: 1 });
      const rows = await database.query('SELECT inet_server_addr() IS NULL AS socket');
      expect(rows, url).toEqual([{ socket: true }]);
      await database.close();
    }
    // As libpq: without a user it is the one of the operating system, which this server does not know.
    const nobody = openDatabase({
      url: `postgres://${pathname}?host=${folder}&port=${port}`,
      connections: 1,
    });
    await expect(nobody.query('SELECT 1')).rejects.toThrow(userInfo().username);
    await nobody.close();
    // A node with all its connections, and a command.
    const installation = await createInstallation({
      DATABASE_URL: `postgres://${username}@${pathname}?host=${folder}&port=${port}`,
    });
    onTestFinished(installation.remove);
    const service = await installation.start();
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await installation.json('account', 'list')).toHaveLength(1);
    await service.stop();
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
