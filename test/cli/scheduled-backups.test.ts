/** The service makes backups by itself and keeps the newest; half ones count for nothing, and a missing one is noticed. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { footerOf } from '../../src/operate/backup/backup-file.ts';
import { goodBackups } from '../../src/operate/backup/backup-folder.ts';
import { createScheduledBackups } from '../../src/operate/backup/scheduled-backups.ts';
import { BIN, gatehouse, ROOT, refusedStart } from '../support/command.ts';
import { examine } from '../support/examine.ts';
import { isImpossible } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PROGRAM = [process.execPath, BIN] as const;
const KILLED = [process.execPath, resolve(ROOT, 'test/support/killed-backup.mjs'), BIN] as const;
const NAME = /^gatehouse-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
  await plant(installation);
  await (await installation.start()).stop();
});
afterAll(() => installation?.remove());

let folders = 0;
function newFolder(): string {
  folders += 1;
  const folder = join(installation.directory, `backups-${folders}`);
  mkdirSync(folder);
  return folder;
}

/** A schedule on the data folder of the tests, whose clock the test sets. */
function schedule(folder: string, program: readonly [string, ...string[]] = PROGRAM, keep = 3) {
  const lines: string[] = [];
  const write = (_: object, line: string) => void lines.push(line);
  const clock = { now: Date.now() };
  const config = {
    ...readConfig(installation.environment),
    backupDir: folder,
    backupHours: 24,
    backupKeep: keep,
  };
  // The child reads the environment of this process.
  const environment = [
    'env',
    ...Object.entries(installation.environment).map(([name, value]) => `${name}=${value}`),
  ];
  const backups = createScheduledBackups({
    config,
    program: [...environment, ...program] as [string, ...string[]],
    clock: () => clock.now,
    log: { info: write, error: write } as never,
    forTests: { pollMs: 10 },
  });
  return { ...backups, clock, lines };
}

/** Changes the time of a backup, as if the clock had been wrong when it was made. */
function writeTime(file: string, at: string): void {
  const bytes = readFileSync(file);
  const length = Number(bytes.subarray(-100).toString().split(' ')[2]);
  const begin = bytes.length - 100 - length;
  const manifest = Buffer.from(
    JSON.stringify({ ...JSON.parse(bytes.toString('utf8', begin, begin + length)), at }),
  );
  writeFileSync(file, Buffer.concat([bytes.subarray(0, begin), manifest, Buffer.from(footerOf(manifest))]));
}

const check = (file: string) => gatehouse(['restore', '--check', file], installation.environment);

describe('a schedule', () => {
  it('makes a backup at once, the next one when it is due, and keeps the newest', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'somebody-elses.backup'), 'not ours');
    const names: string[] = [];
    for (let day = 0; day < 5; day += 1) {
      const early = schedule(folder, KILLED);
      early.clock.now += HOUR_MS;
      if (day === 1) early.start();
      await early.close();
      expect(early.lines).toEqual([]);
      const backups = schedule(folder);
      if (day > 0) {
        backups.start();
        backups.clock.now += 2 * day * DAY_MS;
      } else backups.start();
      await expect.poll(() => backups.lines).toContain('backed up');
      await backups.close();
      names.push((await goodBackups(folder, Date.now()))[0]?.name as string);
    }
    const left = readdirSync(folder).filter((name) => NAME.test(name));
    expect(left.sort()).toEqual(names.slice(-3));
    for (const name of left) expect(await check(join(folder, name))).toMatchObject({ status: 0 });
    expect(readdirSync(folder)).toContain('somebody-elses.backup');
  });

  it('keeps the backups of the past, and makes no more of them, after one was made while the clock was ahead', async () => {
    const folder = newFolder();
    const first = schedule(folder, PROGRAM, 2);
    first.start();
    await expect.poll(() => first.lines).toEqual(['backed up']);
    await first.close();
    const [good = ''] = readdirSync(folder);
    const future = 'gatehouse-2199-01-01T00-00-00Z.backup';
    copyFileSync(join(folder, good), join(folder, future));
    writeTime(join(folder, future), '2199-01-01T00:00:00.000Z');
    const next = schedule(folder, PROGRAM, 2);
    next.start();
    // Ten looks whether one is due.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await next.close();
    expect(next.lines).toEqual([]);
    expect(next.state()).toMatchObject({ kept: 1, failures: 0 });
    expect(readdirSync(folder).sort()).toEqual([good, future]);
  });

  it('takes no half backup for a good one, and removes what a killed one left', async () => {
    const folder = newFolder();
    const killed = schedule(folder, KILLED);
    killed.start();
    await expect.poll(() => killed.lines).toEqual([expect.stringMatching(/the scheduled backup failed/)]);
    await killed.close();
    const [partial = '', ...others] = readdirSync(folder);
    expect([partial.endsWith('.backup.partial'), others]).toEqual([true, []]);
    expect(killed.state()).toMatchObject({ lastAt: null, kept: 0, failures: 1 });
    // A half one with a good name, as a copy that was cut off: the newest of all by its name.
    const whole = schedule(folder);
    whole.start();
    await expect.poll(() => whole.state().kept).toBe(1);
    await whole.close();
    expect(readdirSync(folder)).not.toContain(partial);
    const [good] = await goodBackups(folder, Date.now());
    const bytes = readFileSync(join(folder, good?.name as string));
    const half = 'gatehouse-2099-01-01T00-00-00Z.backup';
    writeFileSync(join(folder, half), bytes.subarray(0, bytes.length / 2));
    expect((await goodBackups(folder, Date.now())).map(({ name }) => name)).toEqual([good?.name]);
  });

  it('removes no good one while fewer than it keeps are good', async () => {
    const folder = newFolder();
    const backups = schedule(folder, PROGRAM, 1);
    backups.start();
    await expect.poll(() => backups.state().kept).toBe(1);
    await backups.close();
    const [good] = await goodBackups(folder, Date.now());
    copyFileSync(join(folder, good?.name as string), join(folder, 'gatehouse-2020-01-01T00-00-00Z.backup'));
    rmSync(join(folder, good?.name as string));
    // Due only by the time of its data, which is now: nothing is made, and the only good one stays.
    const again = schedule(folder, KILLED, 1);
    again.clock.now += DAY_MS;
    again.start();
    await expect.poll(() => again.lines).toHaveLength(1);
    await again.close();
    expect((await goodBackups(folder, Date.now())).map(({ name }) => name)).toEqual([
      'gatehouse-2020-01-01T00-00-00Z.backup',
    ]);
  });

  it.each([
    ['is missing', (folder: string) => rmSync(folder, { recursive: true }), /ENOENT/],
    [
      'is a file',
      (folder: string) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
      /EACCES|ENOTDIR/,
    ],
  ])('says it where the folder %s, and makes none elsewhere', async (_, spoil, line) => {
    const folder = newFolder();
    spoil(folder);
    const backups = schedule(folder);
    backups.start();
    await expect.poll(() => backups.lines).toEqual([expect.stringMatching(line)]);
    expect(backups.state()).toMatchObject({ lastAt: null, failures: 1 });
    expect(backups.state().missingFrom).toBeLessThanOrEqual(backups.clock.now);
    await backups.close();
  });
});

const disk = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (mounted) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

it.skipIf(isImpossible(mounted ? undefined : 'a small disk: only root may mount one'))(
  'leaves space on a disk that others need, and says so',
  async () => {
    const backups = schedule(disk);
    backups.start();
    await expect
      .poll(() => backups.lines)
      .toEqual([
        expect.stringMatching(/leaves 100 MB free, but the disk of .* has only 6\d MB: free space there/),
      ]);
    await backups.close();
    expect(readdirSync(disk)).toEqual([]);
  },
);

describe('gatehouse start', () => {
  const running = (folder: string) => installation.spawn({ GATEHOUSE_BACKUP_DIR: folder });
  const metric = async (service: ServiceProcess, name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.match(new RegExp(`^${name}(?:\\{kind="backup"\\})? (.*)$`, 'm'))?.[1];
  };

  it('makes one while it answers; metrics and `gatehouse doctor` say so', async () => {
    const folder = newFolder();
    const service = await running(folder);
    await expect.poll(() => metric(service, 'gatehouse_backup_kept')).toBe('1');
    expect(await metric(service, 'gatehouse_backup_failures')).toBe('0');
    expect(service.output()).toContain('backed up');
    const { find } = await examine({ ...installation.environment, GATEHOUSE_BACKUP_DIR: folder });
    expect(find('backups')).toMatchObject({ state: 'ok', found: expect.stringContaining('1 in ') });
    expect(await service.stop()).toBe(0);
  });

  it('opens an alert at once where there is none and none can be made', async () => {
    const folder = newFolder();
    rmSync(folder, { recursive: true });
    const service = await running(folder);
    await expect.poll(() => metric(service, 'gatehouse_alerts')).toBe('1');
    expect(service.output()).toContain('the scheduled backup failed');
    expect(await service.stop()).toBe(0);
    const { find } = await examine({ ...installation.environment, GATEHOUSE_BACKUP_DIR: folder });
    expect(find('backups')?.state).toBe('failed');
  });

  it('refuses a folder beside PostgreSQL', async () => {
    const settings = { GATEHOUSE_BACKUP_DIR: '/backups', DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    const { status, stderr } = await refusedStart({ ...installation.environment, ...settings });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/GATEHOUSE_BACKUP_DIR backs up SQLite.*pg_dump/),
    ]);
  });
});
