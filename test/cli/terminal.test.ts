/** Secrets and log lines: on a terminal they are for the person, elsewhere for files and programs. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BIN, failureOf, gatehouse } from '../support/command.ts';
import { isSkipped } from '../support/missing-programs.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { inTerminal, NO_TERMINAL } from '../support/terminal.ts';

const SECRET = /sk_(?:live|test)_\w{27,}|\/setup#[\w-]{43}/;

let installation: Installation;
let folder: string;
beforeAll(async () => {
  installation = await createInstallation();
  folder = installation.environment.GATEHOUSE_DATA_DIR as string;
});
afterAll(() => installation.remove());

describe.skipIf(isSkipped(NO_TERMINAL))('on a terminal', () => {
  it('the first start shows keys and link, writes them to no file, and logs lines for people', async () => {
    const shown = await inTerminal(['start'], { ...installation.environment, NO_COLOR: '1' }, /listening/);
    expect(shown.match(/sk_live_\w{27,}/g)).toHaveLength(2);
    expect(shown).toMatch(/http:\S+\/setup#[\w-]{43}\n/);
    expect(shown).toMatch(/^\d\d:\d\d:\d\d info {2}listening {2}url=http:\S+ {2}data=\/\S+$/m);
    expect(shown).not.toContain('{"level"');
    expect(shown).not.toContain('\u001b[');
    expect(readdirSync(folder).filter((name) => name.endsWith('.txt'))).toEqual([]);
  });

  it('a later start has colours', async () => {
    const shown = await inTerminal(['start'], installation.environment, /listening/);
    expect(shown).toContain('\u001b[32minfo \u001b[0m listening');
    expect(shown).not.toMatch(/sk_live_/);
  });

  it('commands show the secret that they made', async () => {
    const { id } = await plant(installation);
    const create = ['key', 'create', '--account', id, '--mode', 'live', '--name', 'x'];
    expect(await inTerminal(create, installation.environment)).toMatch(/^key +sk_live_\w{32}$/m);
    const shown = await inTerminal(['user', 'link'], installation.environment);
    expect(shown).toMatch(/^effect +makes the first operator\r?$/m);
    expect(shown).toMatch(/^works +once, within 24 hours\r?$/m);
    expect(shown).toMatch(/^link +http:\S+\/setup#/m);
  });
});

describe('when the output is not a terminal', () => {
  const secretOf = (row: Record<string, unknown>, name: string) => {
    const file = row[`${name}_file`] as string;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(file.startsWith(folder)).toBe(true);
    return readFileSync(file, 'utf8');
  };

  it('commands write the secret to a file that only its owner can read, and print it only with --json', async () => {
    const { id } = await plant(installation);
    const create = ['key', 'create', '--account', id, '--mode', 'live', '--name', 'x'];
    const [key, link, prompted] = await Promise.all([
      installation.run(...create),
      installation.run('user', 'link', '--new-operator'),
      installation.run(...create, '--json'),
    ]);
    expect(key.stdout + link.stdout).not.toMatch(SECRET);
    expect(secretOf(JSON.parse(key.stdout), 'key')).toMatch(/^sk_live_\w{32}\n$/);
    expect(secretOf(JSON.parse(link.stdout), 'link')).toMatch(/^http:\S+\/setup#[\w-]{43}\n$/);
    expect(JSON.parse(prompted.stdout).key).toMatch(/^sk_live_\w{32}$/);
  });

  it('commands keep the secret in a file if the reader of the output has ended', async () => {
    const { id } = await plant(installation);
    const create = `key create --account ${id} --mode live --name x --json`;
    const { stderr, status } = await new Promise<{ stderr: string; status: unknown }>((done) => {
      const command = `set -o pipefail; '${process.execPath}' '${BIN}' ${create} | true`;
      execFile('bash', ['-c', command], { env: installation.environment }, (error, _, text) =>
        done({ stderr: text, status: error?.code ?? 0 }),
      );
    });
    const file = /the secret is in (\S+)/.exec(stderr)?.[1] as string;
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('the output was closed'),
    });
    expect(readFileSync(file, 'utf8')).toMatch(/^sk_live_\w{32}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('commands make no secret if they cannot show or store it', async () => {
    const environment = {
      ...installation.environment,
      GATEHOUSE_DATA_DIR: join(installation.directory, 'none'),
      DATABASE_URL: 'postgres://127.0.0.1:9/x',
    };
    expect(failureOf(await gatehouse(['user', 'link'], environment), 1)).toMatch(
      /GATEHOUSE_DATA_DIR.*--json/,
    );
    expect(existsSync(environment.GATEHOUSE_DATA_DIR)).toBe(false);
  });
});
