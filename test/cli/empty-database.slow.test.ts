/** An empty database stays empty: only a start or a migration makes an installation there. */
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { failureOf, gatehouse } from '../support/command.ts';
import { createInstallation } from '../support/service.ts';
import { newDatabase } from '../support/shared-servers.ts';

it('commands say that there is no installation, and create none', async () => {
  const url = await newDatabase();
  const installation = await createInstallation();
  onTestFinished(installation.remove);
  const environment = { ...installation.environment, DATABASE_URL: url };
  for (const command of [
    ['account', 'list'],
    ['user', 'list'],
    ['intel', 'status'],
  ])
    expect(failureOf(await gatehouse(command, environment), 1)).toMatch(
      /^DATABASE_URL: .*there is no installation in it; set DATABASE_URL/,
    );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
  await client.end();
  expect(rows).toEqual([]);
});
