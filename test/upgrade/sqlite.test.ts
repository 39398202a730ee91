/** A data folder of every release, and one restored from its backup, is opened by this version and answers as before; also on the newest Node.js, with its own SQLite. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { migrationsOf, readDataFolder, readRecord, releaseFixtures } from '../support/release-fixture.ts';
import { createInstallation } from '../support/service.ts';
import { expectUpgrade, SETTINGS } from '../support/upgrade.ts';

const releases = releaseFixtures();

it.each(releases)('a data folder of $version is upgraded and answers as before', async ({ version }) => {
  const installation = await createInstallation(SETTINGS);
  const folder = installation.environment.GATEHOUSE_DATA_DIR as string;
  const backup = join(installation.directory, 'backup');
  readDataFolder(version, folder, backup);
  const record = readRecord(version, 'sqlite');
  await expectUpgrade(installation, record);

  installation.environment.GATEHOUSE_DATA_DIR = `${folder}-restored`;
  expect(await installation.json('restore', backup)).toMatchObject({ version });
  const service = await installation.start();
  const client = createClient(service.url);
  const { assessments, keys } = record.access;
  for (const { id, key } of assessments) {
    const before = record.answers.find(({ question }) => question === `GET ${id}`);
    expect(await client.get(id, keys[key])).toMatchObject({ status: 200, text: before?.body });
  }
  client.close();
  await installation.remove();
});

it.each(releases)('no migration of $version has changed since', ({ version, migrations }) => {
  const advice = `add a migration; unless ${version} is not published: then run node scripts/release.mjs fixture`;
  for (const store of ['sqlite', 'postgres'] as const)
    expect(migrationsOf(store), advice).toMatchObject(migrations[store]);
});
