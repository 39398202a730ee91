/** Makes the fixture of this release: `node scripts/release.mjs fixture` runs it as a test, because it uses the tests' modules. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readVersion } from '../../src/platform/version.ts';
import { askRelease } from './ask-release.ts';
import { ROOT } from './command.ts';
import { startDnsServer } from './dns-server.ts';
import { fillRelease } from './fill-release.ts';
import { freezeClock } from './frozen-clock.ts';
import { STORES, writeDataFolder, writeDump, writeFixture, writeRecord } from './release-fixture.ts';
import { createInstallation } from './service.ts';
import { newDatabase } from './shared-servers.ts';
import { comparedOf, SETTINGS } from './upgrade.ts';

const version = readVersion();

it('writes the installation of each store', { timeout: 600_000 }, async () => {
  rmSync(join(ROOT, 'test/fixtures/releases', version), { recursive: true, force: true });
  const dns = await startDnsServer();
  dns.fallback = { mx: ['10 aspmx.l.google.com'] };
  for (const store of STORES) {
    const url = store === 'postgres' ? await newDatabase() : undefined;
    const installation = await createInstallation({
      ...SETTINGS,
      GATEHOUSE_DNS_SERVERS: dns.address,
      ...(url !== undefined && { DATABASE_URL: url }),
    });
    const access = await fillRelease(installation);
    const at = Date.now();
    if (url !== undefined) writeDump(version, url);
    else {
      const backup = join(installation.directory, 'backup');
      await installation.json('backup', backup);
      writeDataFolder(version, installation.environment.GATEHOUSE_DATA_DIR as string, backup);
    }
    const thaw = freezeClock(at);
    try {
      const service = await installation.start();
      const answers = await askRelease(service, access);
      await service.stop();
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      writeRecord(version, store, { at, access, answers: answers.map(comparedOf) });
    } finally {
      thaw();
    }
    await installation.remove();
  }
  await dns.close();
  writeFixture(version);
});
