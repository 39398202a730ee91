/** A data folder of every release is opened by this version, and answers as it did; also on the newest Node.js, by its own SQLite. */
import { expect, it } from 'vitest';
import { migrationsOf, readDataFolder, readRecord, releaseFixtures } from '../support/release-fixture.ts';
import { createInstallation } from '../support/service.ts';
import { expectUpgrade, SETTINGS } from '../support/upgrade.ts';

const releases = releaseFixtures();

it.each(releases)('a data folder of $version is upgraded and answers as before', async ({ version }) => {
  const installation = await createInstallation(SETTINGS);
  readDataFolder(version, installation.environment.GATEHOUSE_DATA_DIR as string);
  await expectUpgrade(installation, readRecord(version, 'sqlite'));
  await installation.remove();
});

it.each(releases)('no migration that $version has was changed since', ({ migrations }) => {
  for (const store of ['sqlite', 'postgres'] as const)
    expect(migrationsOf(store)).toMatchObject(migrations[store]);
});
