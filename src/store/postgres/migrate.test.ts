import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../test/support/postgres-server.ts';
import { migrate } from './migrate.ts';

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('are applied once, however many nodes start at once', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    await Promise.all(Array.from({ length: 8 }, () => migrate(url)));
    await migrate(url);
    const applied = await ask(url, 'SELECT number, name FROM gatehouse_migrations ORDER BY number');
    expect(applied[0]).toEqual({ number: 1, name: '001-first.sql' });
    expect(applied.map(({ number }) => number)).toEqual(applied.map((_, at) => at + 1));
    expect(await ask(url, 'SELECT name, value FROM meta ORDER BY name')).toEqual([
      { name: 'directory_version', value: '0' },
      { name: 'lists_version', value: '0' },
    ]);
  });

  it('make partitions that keep documents uncompressed', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    await migrate(url);
    await ask(url, 'CREATE TABLE a_month (LIKE assessment_documents INCLUDING ALL)');
    const columns =
      "SELECT attname FROM pg_attribute WHERE attrelid = 'a_month'::regclass AND attstorage = 'e'";
    expect(await ask(url, columns)).toEqual([{ attname: 'body' }, { attname: 'evidence' }]);
  });

  it('of a newer Gatehouse are not touched: one line says so', async () => {
    const url = await createDatabase(inject('postgresUrl'));
    await migrate(url);
    await ask(url, "INSERT INTO gatehouse_migrations (number, name) VALUES (999, '999-future.sql')");
    await expect(migrate(url)).rejects.toThrow(
      /^cannot use the database 127\.0\.0\.1:\d+\/test_\w+: the database has schema 999, newer than this Gatehouse knows \(\d+\)$/,
    );
  });
});
