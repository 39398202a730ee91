/** Data that a newer Gatehouse has updated are refused by a start and by every command, in one line that says what to do, and not changed. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/cli.ts';
import { allCommands } from '../../src/cli/commands.ts';
import type { DoctorCheck } from '../../src/model/doctor-check.ts';
import { openSqlite } from '../../src/platform/sqlite-driver.ts';
import { migrate as migrateShared, newestSchema as newestShared } from '../../src/store/postgres/migrate.ts';
import { newestSchema } from '../../src/store/sqlite/migrate.ts';
import { failureOf, gatehouse, refusedStart } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Environment, type Installation } from '../support/service.ts';
import { newDatabase } from '../support/shared-servers.ts';

/** The rest of the line of each command; its arguments matter only if the command continues. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'account create': '--name x --plan pro',
  'account set': 'acc_x --name y',
  'account list': '',
  'account delete': 'acc_x --yes',
  'key create': '--account acc_x --mode live --name x',
  'key set': 'key_x --name y',
  'key shadow': 'key_x',
  'key enforce': 'key_x',
  'key list': '--account acc_x',
  'key revoke': 'key_x',
  'key rotate': 'key_x',
  'key end-old': 'key_x',
  'key undo-rotate': 'key_x',
  'hook create': '--account acc_x --provider supabase --name x',
  'hook rotate': 'hk_x',
  'hook list': '--account acc_x',
  'hook revoke': 'hk_x',
  'webhook list': '--account acc_x',
  'webhook add': '--account acc_x --name x --url https://x.example',
  'webhook rotate': 'dst_x --account acc_x',
  'webhook test': 'dst_x --account acc_x',
  'webhook remove': 'dst_x --account acc_x',
  'list add': '--account acc_x --deny x.example',
  'list remove': 'x.example --account acc_x',
  'list show': '--account acc_x',
  'list history': 'x.example --account acc_x',
  'list erase-history': 'x.example --account acc_x --yes',
  'policy export': '',
  'policy apply': 'POLICY --yes',
  'campaign list': '--account acc_x',
  'campaign show': 'cmp_x --account acc_x',
  'campaign end': 'cmp_x --account acc_x',
  'campaign confirm': 'cmp_x --account acc_x',
  'campaign dismiss': 'cmp_x --account acc_x',
  'campaign reopen': 'cmp_x --account acc_x',
  'recall run': '--account acc_x',
  'recall show': '--account acc_x',
  'recall list': '--account acc_x',
  'recall dismiss': '--account acc_x',
  'intel status': '',
  'intel refresh': '',
  'intel rollback': 'tor-exits',
  'intel use': 'tor-exits',
  'intel keep': 'tor-exits',
  'intel export': 'OUT',
  'intel import': '.',
  'intel check': 'x.example',
  'intel host': 'mx.example',
  'intel forget-host': 'mx.example',
  'intel trust-host': 'mx.example',
  'user list': '',
  'user link': '--new-operator',
  'user verify': 'jo@example.com',
  'user end-sessions': 'jo@example.com',
  'user disconnect': 'jo@example.com',
  'user delete': 'jo@example.com',
  'privacy export': '--account acc_x --email jo@example.com',
  'privacy erase': '--account acc_x --email jo@example.com --yes',
  'privacy reapply': 'EMPTY',
  'secret rotate': '',
  'secret drop': '0 --yes',
  'secret list': '',
  'token create': '--name x --scope keys:read',
  'token list': '',
  'token revoke': 'tok_x',
  audit: '',
  assess: 'jo@example.com',
  mirror: 'EMPTY',
  scan: 'EMPTY',
  backup: 'OUT',
  migrate: '--to postgres://127.0.0.1:9/x',
};
/** `doctor` reports it as one of its lines; `log-level` only needs a service; `restore` refuses a folder in use; `openapi` and `policy test` need no installation. */
const OTHERS = ['start', 'doctor', 'log-level', 'restore', 'openapi', 'policy test'];
const LINE =
  /the database has schema 999, newer than this Gatehouse knows \((\d+)\): install the version that updated it, or restore the backup from before the upgrade$/;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
  await plant(installation);
  // Creates the secret.
  await installation.json('user', 'list');
  writeFileSync(join(installation.directory, 'empty'), '');
  writeFileSync(join(installation.directory, 'policy.yaml'), 'version: 1\n');
});
afterAll(() => installation.remove());

const argumentsOf = (name: string) =>
  `${name} ${ARGUMENTS[name]}`
    .replace('OUT', join(installation.directory, 'out'))
    .replace('POLICY', join(installation.directory, 'policy.yaml'))
    .replace('EMPTY', join(installation.directory, 'empty'))
    .trim()
    .split(' ');

async function expectRefusals(environment: Environment, known: number, commands: readonly string[]) {
  for (const name of commands) {
    const line = failureOf(await gatehouse(argumentsOf(name), environment), 1);
    expect([name, line, LINE.exec(line)?.[1]]).toEqual([name, line, String(known)]);
  }
  const { status, stdout } = await gatehouse(['doctor'], environment);
  expect(status).toBe(1);
  const database = (JSON.parse(stdout) as DoctorCheck[]).find((check) => check.name === 'database');
  expect(database).toMatchObject({ state: 'failed', found: expect.stringMatching(/^schema 999, newer/) });
  expect(database?.advice).toMatch(/^install the version that updated it, or restore/);
  // Last, because in this process it keeps the lock of the folder.
  const start = failureOf(await refusedStart(environment), 1);
  expect([start, LINE.exec(start)?.[1]]).toEqual([start, String(known)]);
}

/** Names and contents, without the files that every reader creates. */
function contentOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return files
    .filter((name) => !/-(?:shm|wal)$|^(?:service|backup)\.(?:lock|json)/.test(name))
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return `${name} ${hash.digest('hex')}`;
    })
    .toSorted();
}

async function makeNewer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("INSERT INTO gatehouse_migrations (number, name) VALUES (999, '999-future.sql')");
  await client.end();
}

it('has a line for each command', () => {
  const leaves = (command: Command, path = ''): string[] =>
    command.commands.length === 0
      ? [path.trim()]
      : command.commands.flatMap((child) => leaves(child, `${path} ${child.name()}`));
  expect(leaves(createProgram(allCommands())).toSorted()).toEqual(
    [...Object.keys(ARGUMENTS), ...OTHERS].toSorted(),
  );
});

describe('data that a newer Gatehouse has updated', () => {
  it('is refused in a data folder, and not changed', async () => {
    const folder = join(installation.directory, 'newer');
    cpSync(installation.environment.GATEHOUSE_DATA_DIR as string, folder, { recursive: true });
    const connection = openSqlite(join(folder, 'gatehouse.db'));
    connection.pragma('user_version = 999');
    // Otherwise a reader moves it into the file.
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    const before = contentOf(folder);
    const environment = { ...installation.environment, GATEHOUSE_DATA_DIR: folder };
    await expectRefusals(environment, newestSchema(), Object.keys(ARGUMENTS));
    expect(contentOf(folder)).toEqual(before);
    expect(readdirSync(installation.directory)).not.toContain('out');
  });

  it('is refused in PostgreSQL, and not changed', async () => {
    const url = await newDatabase();
    const shared = await createInstallation({ DATABASE_URL: url });
    await plant(shared);
    // For the secrets that commands write without a terminal.
    mkdirSync(shared.environment.GATEHOUSE_DATA_DIR as string);
    await makeNewer(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const content = async () =>
      (
        await client.query(
          'SELECT (SELECT count(*) FROM audit) AS audit, (SELECT count(*) FROM keys) AS keys',
        )
      ).rows;
    const before = await content();
    const commands = Object.keys(ARGUMENTS).filter((name) => !['backup', 'migrate'].includes(name));
    await expectRefusals(shared.environment, newestShared(), commands);
    expect(await content()).toEqual(before);
    await client.end();
    await shared.remove();
  });

  it('is refused as the target of `gatehouse migrate`', async () => {
    const url = await newDatabase();
    await migrateShared(url);
    await makeNewer(url);
    const { DATABASE_URL: _, ...embedded } = installation.environment;
    expect(failureOf(await gatehouse(['migrate', '--to', url], embedded), 1)).toMatch(LINE);
  });
});
