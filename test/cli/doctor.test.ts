/** The doctor names what is wrong and what to do, exits with 1 only if something failed, and changes nothing. */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { gatehouse, spawnGatehouse } from '../support/command.ts';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.ts';
import { examine } from '../support/examine.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';

let dns: TestDnsServer;
let installation: Installation;
beforeAll(async () => {
  dns = await startDnsServer();
  dns.set('mail.example', { mx: ['10 mx.mail.example'] });
  const settings = { GATEHOUSE_DNS_SERVERS: dns.address };
  installation = await createInstallation(settings);
  await plant(installation);
  await (await installation.start()).stop();
});
afterAll(async () => {
  await Promise.all([installation.remove(), dns.close()]);
});

/** Names and contents of all files, without those of the write-ahead log, which readers share. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile() && !/-(?:shm|wal)$/.test(name));
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return Object.fromEntries(files.toSorted().map((name) => [name, hash(name)]));
}

/** A copy of the data folder, and settings for it. */
function copyOf(name: string, settings: Environment = {}): { folder: string; environment: Environment } {
  const folder = join(installation.directory, name);
  cpSync(installation.environment.GATEHOUSE_DATA_DIR as string, folder, { recursive: true });
  return { folder, environment: { ...installation.environment, GATEHOUSE_DATA_DIR: folder, ...settings } };
}

describe('an embedded installation', () => {
  it('that is stopped is reported as sound, one line for each check, and not changed', async () => {
    const folder = installation.environment.GATEHOUSE_DATA_DIR as string;
    const before = contentOf(folder);
    const { checks, find } = await examine(installation.environment);
    expect(checks.map(({ name }) => name)).toEqual([
      'settings',
      'service',
      'database',
      'secret',
      'free space',
      'clock',
      `resolver ${dns.address}`,
      'feeds',
      'counters',
    ]);
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(find('service')?.found).toMatch(/^not running/);
    expect(contentOf(folder)).toEqual(before);
  });

  it('that runs is reported as ready', async () => {
    const service = await installation.start();
    const { find } = await examine(installation.environment);
    expect(find('service')).toMatchObject({ state: 'ok', found: `ready at ${service.url}` });
    expect(find('database')?.state).toBe('ok');
    await service.stop();
  });

  it('with a damaged page gets the advice to restore a backup', async () => {
    const { folder, environment } = copyOf('damaged');
    const file = join(folder, 'gatehouse.db');
    const connection = openSqlite(file);
    // The latest commits may be only in the write-ahead log.
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2 / 4_096) * 4_096;
    bytes.fill(0xff, middle, middle + 4_096);
    writeFileSync(file, bytes);
    const { find } = await examine(environment);
    expect(find('database')).toMatchObject({
      state: 'failed',
      advice: expect.stringContaining('docs/backup.md'),
    });
  });

  it('with a newer version, without its secret or with another secret, gets advice', async () => {
    const newer = copyOf('newer');
    const connection = openSqlite(join(newer.folder, 'gatehouse.db'));
    connection.pragma('user_version = 999');
    connection.close();
    expect((await examine(newer.environment)).find('database')).toMatchObject({
      state: 'failed',
      advice: 'install the version that updated it, or restore the backup from before the upgrade',
    });
    const secretless = copyOf('secretless');
    rmSync(join(secretless.folder, 'secret.key'));
    expect((await examine(secretless.environment)).find('secret')?.found).toMatch(/is missing in/);
    const other = copyOf('other');
    writeFileSync(join(other.folder, 'secret.key'), `${'ab'.repeat(32)}\n`);
    expect((await examine(other.environment)).find('secret')?.found).toMatch(/not the secret/);
  });

  it('gets warnings about an unknown setting, an unreadable feeds file, and resolvers', async () => {
    const canaries = { GATEHOUSE_CANARY_DOMAINS: 'mail.example,b.example,c.example' };
    const { find } = await examine({
      ...installation.environment,
      GATEHOUSE_DNS_SERVERS: `${dns.address},127.0.0.1:9`,
      GATEHOUSE_FEDS: 'on',
      ...canaries,
    });
    expect(find('settings')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('GATEHOUSE_FEDS'),
    });
    expect(find('resolver 127.0.0.1:9')?.state).toBe('warning');
    expect(find(`resolver ${dns.address}`)?.state).toBe('ok');
    const file = join(installation.directory, 'feeds-broken.json');
    writeFileSync(file, '{"mine": 1}');
    const bad = await examine({
      ...installation.environment,
      GATEHOUSE_CANARY_DOMAINS: 'x.example,y.example,z.example',
      GATEHOUSE_FEEDS_FILE: file,
    });
    expect(bad.find(`resolver ${dns.address}`)?.found).toMatch(/take no mail/);
    expect(bad.find('feeds')?.state).toBe('failed');
  });

  it.each([
    [0, 'ok'],
    [-20, 'warning'],
    [3_600, 'failed'],
  ])('compares its clock with a web server that is %i s ahead: %s', async (seconds, state) => {
    const server = createServer((_, response) => {
      response.sendDate = false;
      response.setHeader('date', new Date(Date.now() + seconds * 1_000).toUTCString()).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { find } = await examine({ ...installation.environment, GATEHOUSE_RDAP_BOOTSTRAP_URL: url });
    server.close();
    expect(find('clock')?.state).toBe(state);
  });

  it('is checked to the end in a separate process, even if no resolver answers', async () => {
    const silent = { ...installation.environment, GATEHOUSE_DNS_SERVERS: '127.0.0.1:9' };
    const { status, stdout, stderr } = await spawnGatehouse(['doctor', '--json'], silent);
    expect(status).toBe(1);
    expect(stderr).toMatch(/checks failed: resolver 127\.0\.0\.1:9\n$/);
    expect(JSON.parse(stdout)).toHaveLength(9);
  });

  it('that does not exist is reported in one line', async () => {
    const environment = {
      ...installation.environment,
      GATEHOUSE_DATA_DIR: join(installation.directory, 'none'),
    };
    const { status, stderr } = await gatehouse(['doctor'], environment);
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^gatehouse: there is no/),
    });
  });
});
