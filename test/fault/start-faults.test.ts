/** A data folder that cannot be used: one line on standard error that names what is wrong, exit status 1, at once. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { createClient } from '../support/client.ts';
import { refusedStart } from '../support/command.ts';
import { lockDatabase } from '../support/crash-database.ts';
import { launch, type ProcessResult } from '../support/crash-process.ts';
import { HANG_MS } from '../support/long-version.ts';
import { PATIENT_SERVICE } from '../support/running-service.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';

const PAGE_BYTES = 4_096;
/** Time for a start on a busy machine; a refusal comes much sooner. */
const PATIENCE_MS = HANG_MS;

let installation: Installation;
/** A data folder that was used: accounts, a secret, an assessment or two. */
let used: string;

beforeAll(async () => {
  installation = await createInstallation();
  used = installation.environment.GATEHOUSE_DATA_DIR as string;
  const service = await installation.spawn({}, PATIENT_SERVICE);
  // No other process has opened the database: the service leaves it complete in one file, without a write-ahead log.
  const live = /sk_live_\w+/.exec(readFileSync(join(used, 'first-keys.txt'), 'utf8'))?.[0] as string;
  const client = createClient(service.url, live);
  expect((await client.assess({ email: 'jo@example.com' })).status).toBe(200);
  client.close();
  await service.stop();
  expect(existsSync(join(used, 'secret.key'))).toBe(true);
});

afterAll(() => installation.remove());

describe('a start', () => {
  it.each<[string, string, (folder: string) => void]>([
    [
      'a database of random bytes',
      'gatehouse.db',
      (folder) => writeFileSync(join(folder, 'gatehouse.db'), noise(100_000)),
    ],
    [
      'a database whose end is missing',
      'gatehouse.db',
      (folder) => truncateSync(join(folder, 'gatehouse.db'), 2 * PAGE_BYTES),
    ],
    [
      'a database with a cut first page',
      'gatehouse.db',
      (folder) => truncateSync(join(folder, 'gatehouse.db'), 3_000),
    ],
    ['a database with damaged pages', 'gatehouse.db', damagePages],
    ['a database of a newer version', 'schema', makeNewer],
    ['a database that is a folder', 'gatehouse.db', (folder) => swapForFolder(join(folder, 'gatehouse.db'))],
    [
      'a secret that is no secret',
      'secret.key',
      (folder) => writeFileSync(join(folder, 'secret.key'), 'not a secret\n'),
    ],
    ['an empty secret', 'secret.key', (folder) => writeFileSync(join(folder, 'secret.key'), '')],
    ['a secret that is a folder', 'secret.key', (folder) => swapForFolder(join(folder, 'secret.key'))],
  ])('refuses %s', async (name, named, damage) => {
    const folder = join(installation.directory, name.replaceAll(' ', '-'));
    cpSync(used, folder, { recursive: true });
    damage(folder);
    const stderr = await expectRefusal(folder, named);
    if (isDamaged(name)) expect(stderr).toContain('restore the newest backup');
  });

  it('that is refused ends the process', async () => {
    const folder = join(installation.directory, 'in-a-process');
    cpSync(used, folder, { recursive: true });
    damagePages(folder);
    await expectRefusal(folder, 'gatehouse.db', inProcess);
  });

  it('refuses a folder without its secret; with --new-secret it starts and says what is lost', async () => {
    const folder = join(installation.directory, 'without-secret');
    cpSync(used, folder, { recursive: true });
    rmSync(join(folder, 'secret.key'));
    const stderr = await expectRefusal(folder, 'secret.key is missing', inProcess);
    expect(stderr).toContain('gatehouse start --new-secret');
    expect(existsSync(join(folder, 'secret.key'))).toBe(false);
    const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: folder };
    const listening = { environment, killAt: '"msg":"listening"', killAfterMs: PATIENCE_MS };
    const { stdout } = await launch({ ...listening, args: ['--new-secret'] });
    expect(stdout).toContain('the secret was replaced: 1 assessment is no longer found by its address');
    expect(stdout).toContain(listening.killAt);
    const again = await launch(listening);
    expect(again.stdout).toContain(listening.killAt);
  }, 240_000);

  it('makes a new secret if no data need the missing one, says so, and accepts the old one later', async () => {
    const own = await createInstallation();
    onTestFinished(own.remove);
    const first = await own.start();
    await first.stop();
    const file = join(first.dataDir, 'secret.key');
    const before = readFileSync(file);
    rmSync(file);
    const second = await own.start();
    expect(second.output()).toContain('secret.key was missing: created a new one');
    await second.stop();
    writeFileSync(file, before);
    const third = await own.start();
    expect(third.output()).not.toContain('secret.key');
    expect(await third.stop()).toBe(0);
  });

  it('refuses the secret of another installation', async () => {
    const folder = join(installation.directory, 'with-another-secret');
    cpSync(used, folder, { recursive: true });
    writeFileSync(join(folder, 'secret.key'), `${'ab'.repeat(32)}\n`);
    await expectRefusal(folder, 'is not the secret that this database is used with', inProcess);
  });

  it.concurrent('waits for a lock on the database that is released soon', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = join(installation.directory, 'locked-for-a-while');
    cpSync(used, folder, { recursive: true });
    const unlock = lockDatabase(join(folder, 'gatehouse.db'));
    onTestFinished(unlock);
    setTimeout(unlock, 2_000);
    const service = await installation.spawn({ GATEHOUSE_DATA_DIR: folder });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  it.concurrent('refuses a database that stays locked', async ({ onTestFinished }) => {
    const folder = join(installation.directory, 'locked');
    cpSync(used, folder, { recursive: true });
    const unlock = lockDatabase(join(folder, 'gatehouse.db'));
    onTestFinished(unlock);
    await expectRefusal(folder, 'database is locked; another program has locked it', inProcess);
  });

  it('refuses a data folder under a file', async () => {
    writeFileSync(join(installation.directory, 'file'), '');
    await expectRefusal(join(installation.directory, 'file', 'data'), 'file/data');
  });

  it('refuses a data folder that is a file', async () => {
    await expectRefusal(join(installation.directory, 'file'), 'file');
  });

  it.runIf(existsSync('/proc/self'))(
    'refuses a data folder in a file system that allows no new folders',
    async () => {
      await expectRefusal('/proc/gatehouse/data', '/proc/gatehouse');
    },
  );
});

/** In this process, for starts that leave nothing there. @param start runs it in another way */
async function expectRefusal(
  folder: string,
  named: string,
  start: (environment: Environment) => Promise<ProcessResult> = refusedStart,
): Promise<string> {
  const { status, stderr } = await start({ ...installation.environment, GATEHOUSE_DATA_DIR: folder });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^gatehouse: [^\n]+\n$/) });
  expect(stderr).toContain(named);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  return stderr;
}

const isDamaged = (name: string) => /random bytes|end is missing|cut first|damaged pages/.test(name);
const inProcess = (environment: Environment) => launch({ environment, killAfterMs: PATIENCE_MS });

/** Bytes without a known format, always the same. */
function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => (at * 197 + (at >> 3) * 89 + 41) & 255));
}

function damagePages(folder: string): void {
  const file = join(folder, 'gatehouse.db');
  const handle = openSync(file, 'r+');
  const bytes = noise(statSync(file).size - PAGE_BYTES);
  writeSync(handle, bytes, 0, bytes.length, PAGE_BYTES);
}

function makeNewer(folder: string): void {
  const database = openSqlite(join(folder, 'gatehouse.db'));
  database.exec('PRAGMA user_version = 9999');
  database.close();
}

function swapForFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}
