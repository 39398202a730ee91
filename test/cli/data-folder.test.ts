/** A data folder has one user: one service at a time and commands beside it; no command creates one by accident. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDataFolder } from '../../src/installation/data-folder.ts';
import { failureOf, gatehouse, ROOT, refusedStart } from '../support/command.ts';
import { createInstallation, type Installation, type ServiceProcess } from '../support/service.ts';

describe('the data folder of a running service', () => {
  let installation: Installation;
  let service: ServiceProcess;
  beforeAll(async () => {
    installation = await createInstallation();
    service = await installation.spawn();
  });
  afterAll(() => installation.remove());

  it('is refused to a second service, in one line that names the process, whatever its database', async () => {
    const { environment } = installation;
    const refusal = new RegExp(
      `^another service \\(process ${service.pid}, since \\d{4}-\\S+Z\\) uses the data folder ${service.dataDir}: .*GATEHOUSE_DATA_DIR`,
    );
    for (const database of [{}, { DATABASE_URL: 'postgres://127.0.0.1:9/x' }])
      expect(failureOf(await refusedStart({ ...environment, ...database }), 1)).toMatch(refusal);
  });

  it('is open to commands', async () => {
    expect(await installation.json('account', 'list')).toMatchObject([{ name: 'default' }]);
    expect((await installation.account('pro')).id).toMatch(/^acc_/);
  });

  it('names what is running there: the service to a migration, and an erasure or a migration to a start', async () => {
    const { environment } = installation;
    const to = ['--to', 'postgres://127.0.0.1:9/x'];
    const line = failureOf(await gatehouse(['migrate', ...to], { ...environment }), 1);
    expect(line).toMatch(
      /^a service \(process \d+, since \S+\) uses the data folder \S+: stop it, or set GATEHOUSE_DATA_DIR to another folder$/,
    );
    const folder = join(installation.directory, 'used');
    const refusals = {
      erasure: /^an erasure \(process \d+, since \S+\) uses the data folder \S+: wait until it has ended$/,
      migration: /^a migration \(process \d+, since \S+\) uses the data folder \S+: wait until it has ended$/,
    };
    for (const use of ['erasure', 'migration'] as const) {
      const held = await lockDataFolder(folder, Date.now, use);
      const refused = await refusedStart({ ...environment, GATEHOUSE_DATA_DIR: folder });
      held.release();
      expect(failureOf(refused, 1)).toMatch(refusals[use]);
    }
  });

  it('is free as soon as the service was killed', async () => {
    await service.kill();
    const next = await installation.spawn();
    expect(await next.stop()).toBe(0);
  });
});

describe('without an installation', () => {
  let installation: Installation;
  let folder: string;
  beforeAll(async () => {
    installation = await createInstallation();
    folder = installation.environment.GATEHOUSE_DATA_DIR as string;
  });
  afterAll(() => installation.remove());

  it.each([
    'account list',
    'key create --account acc_x --mode live --name x',
    'list show --account acc_x',
    'user link',
    'intel status',
    'intel import .',
    'migrate --to postgres://127.0.0.1:9/x',
  ])('%s says so and creates none', async (command) => {
    const line = failureOf(await gatehouse(command.split(' '), installation.environment), 1);
    expect(line).toBe(
      `there is no installation in ${folder}: set GATEHOUSE_DATA_DIR to its folder, or run \`gatehouse start\` to create one`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('a folder of another user is not called empty', async () => {
    const closed = join(installation.directory, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    chmodSync(installation.directory, 0o755);
    const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: closed };
    const nobody = { env: environment, uid: 65_534, gid: 65_534, cwd: '/', encoding: 'utf8' } as const;
    const isReadable = spawnSync(
      process.execPath,
      ['-e', `require('fs').accessSync('${ROOT}/dist/main.js')`],
      nobody,
    );
    if (isReadable.status !== 0) return;
    const { status, stderr } = spawnSync(
      process.execPath,
      [`${ROOT}/bin/gatehouse.js`, 'account', 'list'],
      nobody,
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^gatehouse: cannot read the data folder \S+ \(EACCES\): run this as the user/);
  });

  it('an empty folder has none either, and stays empty', async () => {
    const empty = join(installation.directory, 'empty');
    mkdirSync(empty);
    const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: empty };
    expect(failureOf(await gatehouse(['account', 'list'], environment), 1)).toContain(empty);
    expect(readdirSync(empty)).toEqual([]);
  });

  it('a file in its place is reported as a wrong setting by every command', async () => {
    const file = join(installation.directory, 'file');
    writeFileSync(file, '');
    const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: file };
    const line = `GATEHOUSE_DATA_DIR must be a folder, not "${file}"`;
    expect(failureOf(await refusedStart(environment), 1)).toBe(line);
    for (const command of [
      ['account', 'list'],
      ['assess', 'jo@example.com'],
    ])
      expect(failureOf(await gatehouse(command, environment), 1)).toBe(line);
  });

  it('assess uses the bundled data and says so; openapi needs none', async () => {
    const { environment } = installation;
    const [assessed, document] = await Promise.all([
      gatehouse(['assess', 'jo@mailinator.com'], environment),
      gatehouse(['openapi'], environment),
    ]);
    expect(JSON.parse(assessed.stdout).verdict).toBe('block');
    expect(assessed.stderr).toContain(`there is no installation in ${folder} (GATEHOUSE_DATA_DIR)`);
    expect(document).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(folder)).toBe(false);
  });

  it('account create creates one that only its owner can read', async () => {
    const made = await installation.json('account', 'create', '--name', 'first', '--plan', 'free');
    expect(await installation.json('account', 'list')).toMatchObject([{ id: made.id }]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});
