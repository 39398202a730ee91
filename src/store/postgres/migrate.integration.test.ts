import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { newDatabase } from '../../../test/support/shared-servers.ts';

import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres.ts';

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Makes every statement of this kind take 0.2 s, and gives the database a setting of its own. */
const slowly = (tag: string, setting: string) => `
  CREATE FUNCTION slow() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); END $$;
  CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('${tag}') EXECUTE FUNCTION slow();
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`;

describe('migrations', () => {
  it('are applied once, however many nodes start at once', async () => {
    const url = await newDatabase();
    await Promise.all(Array.from({ length: 8 }, () => migrate(url)));
    await migrate(url);
    const applied = await ask(url, 'SELECT number, name FROM gatehouse_migrations ORDER BY number');
    expect(applied[0]).toEqual({ number: 1, name: '001-first.sql' });
    expect(applied.map(({ number }) => number)).toEqual(applied.map((_, at) => at + 1));
    expect(await ask(url, 'SELECT name, value FROM meta ORDER BY name')).toEqual([
      { name: 'campaigns_version', value: '0' },
      { name: 'directory_version', value: '0' },
      { name: 'hash_keys_version', value: '0' },
      { name: 'lists_version', value: '0' },
      { name: 'mail_hosts_version', value: '0' },
      { name: 'mailbox_removals_version', value: '0' },
      { name: 'mailboxes_version', value: '0' },
      { name: 'signup_events_until', value: '0' },
    ]);
  });

  it('have their own deadline, whatever the role or the database sets', async () => {
    const url = await newDatabase();
    await ask(url, slowly('CREATE SEQUENCE', 'statement_timeout = 100'));
    await migrate(url);
  });

  it('are followed by the first partitions, which may take longer than the deadline of a running node', async () => {
    const url = await newDatabase();
    await migrate(url);
    await ask(url, slowly('CREATE TABLE', 'statement_timeout = 500'));
    await (await openPostgresStore({ url })).close();
  });

  it('wait for a node that is migrating, and give up with one line that names its process', async () => {
    const url = await newDatabase();
    await ask(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET lock_timeout = 100`);
    const node = new pg.Client({ connectionString: url });
    await node.connect();
    const { rows } = await node.query('SELECT pg_backend_pid() AS pid, pg_advisory_lock(7126001)');
    await expect(migrate(url, { waitMs: 300 })).rejects.toThrow(
      new RegExp(
        `^cannot use the database \\S+: another node \\(process ${rows[0].pid} of the server\\) .*longer`,
      ),
    );
    const onWait = vi.fn();
    const waiting = migrate(url, { onWait });
    await vi.waitFor(() => expect(onWait).toHaveBeenCalled(), { timeout: 90_000, interval: 5 });
    // Longer than the limit set in the database.
    await sleep(150);
    await node.end();
    await waiting;
    expect(onWait).toHaveBeenCalledOnce();
  });

  it('of a newer Gatehouse are not changed, and one line says so', async () => {
    const url = await newDatabase();
    await migrate(url);
    await ask(url, "INSERT INTO gatehouse_migrations (number, name) VALUES (999, '999-future.sql')");
    await expect(migrate(url)).rejects.toThrow(
      /^cannot use the database 127\.0\.0\.1:\d+\/test_\w+: the database has schema 999, newer than this Gatehouse knows \(\d+\): install the version that updated it, or restore the backup from before the upgrade$/,
    );
  });
});
