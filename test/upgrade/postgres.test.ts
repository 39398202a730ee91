/** A PostgreSQL database of every release is opened by this version, and answers as before. */
import { it } from 'vitest';
import { readDump, readRecord, releaseFixtures } from '../support/release-fixture.ts';
import { createInstallation } from '../support/service.ts';
import { newDatabase } from '../support/shared-servers.ts';
import { expectUpgrade, SETTINGS } from '../support/upgrade.ts';

it.each(releaseFixtures())('a dump of $version is upgraded and answers as before', async ({ version }) => {
  const url = await newDatabase();
  await readDump(version, url);
  const installation = await createInstallation({ ...SETTINGS, DATABASE_URL: url });
  await expectUpgrade(installation, readRecord(version, 'postgres'));
  await installation.remove();
});
