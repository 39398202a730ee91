/** Links for people whom nobody in the dashboard can invite: created at the start or by the command, and each works once. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claimOperator, openBrowser, PASSWORD, printedSecret, setupSecret } from '../support/browser.ts';
import { failureOf, gatehouse } from '../support/command.ts';
import { createInstallation, type Installation } from '../support/service.ts';

const LINK = /\/setup#[\w-]{43}/;
const OPERATOR = { name: 'Olga', email: 'Olga@Example.com', password: PASSWORD };
const CLAIM = '/dashboard/api/claim';
const READ = '/dashboard/api/claim/read';

const installations: Installation[] = [];
const install = async (): Promise<Installation> => {
  const installation = await createInstallation();
  installations.push(installation);
  return installation;
};
afterEach(async () => {
  for (const installation of installations.splice(0)) await installation.remove();
});

/** Each test starts services and runs commands, some of them twice. */
const SLOW = { timeout: 90_000 };

describe('the first operator', SLOW, () => {
  it('is created by the link of the start, once, and is signed in with it', async () => {
    const installation = await install();
    const service = await installation.start();
    const secret = setupSecret(service);
    const browser = openBrowser(service.url);
    expect((await browser.send('POST', READ, { secret: secret })).json).toEqual({
      purpose: 'operator',
      email: null,
    });
    const claimed = await browser.send('POST', CLAIM, { ...OPERATOR, secret: secret });
    expect(claimed.status).toBe(200);
    expect(claimed.json).toMatchObject({
      user: { email: 'olga@example.com', name: 'Olga', operator: true, two_factor: false },
      accounts: [{ name: 'default', plan: 'business', role: 'owner' }],
    });
    expect((await browser.session()).json).toEqual(claimed.json);

    const other = openBrowser(service.url);
    for (const again of [
      await other.send('POST', READ, { secret: secret }),
      await other.send('POST', CLAIM, { secret: secret, ...OPERATOR, email: 'mallory@example.com' }),
    ])
      expect([again.status, again.json]).toMatchObject([404, { error: { code: 'not_found' } }]);
    expect(await installation.json('user', 'list')).toMatchObject([{ email: 'olga@example.com' }]);
    await service.stop();
    const second = await installation.start();
    expect(service.output() + second.output()).not.toMatch(LINK);
    expect(existsSync(join(second.dataDir, 'setup-link.txt'))).toBe(false);
    expect((await openBrowser(second.url).signIn('OLGA@example.com', PASSWORD)).status).toBe(200);
  });

  it('is the only one, even if others claim at the same moment', async () => {
    const installation = await install();
    const service = await installation.start();
    const secret = setupSecret(service);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        openBrowser(service.url).send('POST', CLAIM, {
          secret: secret,
          ...OPERATOR,
          email: `number${at}@example.com`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)]);
    expect(await installation.json('user', 'list')).toHaveLength(1);
  });

  it('gets a new link at each start until then; it replaces the previous one, and is only in its own file', async () => {
    const installation = await install();
    const first = await installation.start();
    const before = setupSecret(first);
    await first.stop();
    const second = await installation.start();
    const secret = setupSecret(second);
    expect(secret).not.toBe(before);
    const browser = openBrowser(second.url);
    expect((await browser.send('POST', READ, { secret: before })).status).toBe(404);
    expect((await browser.send('POST', CLAIM, { ...OPERATOR, secret: before })).status).toBe(404);
    expect((await browser.send('POST', READ, { secret: secret })).status).toBe(200);
    const folder = installation.environment.GATEHOUSE_DATA_DIR as string;
    for (const file of (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()))
      expect((await readFile(join(folder, file.name))).includes(secret), file.name).toBe(
        file.name === 'setup-link.txt',
      );
  });

  it('is told which of the three fields is invalid, and can try again', async () => {
    const service = await (await install()).start();
    const secret = setupSecret(service);
    const browser = openBrowser(service.url);
    for (const [param, wrong] of [
      ['name', ''],
      ['email', 'olga'],
      ['password', 'short'],
      ['password', 'x'.repeat(129)],
    ] as const) {
      const { status, json } = await browser.send('POST', CLAIM, {
        secret: secret,
        ...OPERATOR,
        [param]: wrong,
      });
      expect([status, json]).toMatchObject([400, { error: { code: 'invalid_value', param } }]);
    }
    expect((await browser.send('POST', CLAIM, { ...OPERATOR, secret: secret })).status).toBe(200);
  });
});

describe('gatehouse user link', SLOW, () => {
  it('gives a locked-out user a new password, ends their sessions, and works once', async () => {
    const installation = await install();
    const service = await installation.start();
    const browser = await claimOperator(service);
    const secret = await printedSecret(installation, 'operator@example.com');
    const other = openBrowser(service.url);
    expect((await other.send('POST', READ, { secret: secret })).json).toEqual({
      purpose: 'reset',
      email: 'operator@example.com',
    });
    expect(
      (await other.send('POST', CLAIM, { secret: secret, password: 'quite another password' })).status,
    ).toBe(200);
    expect((await browser.session()).status).toBe(401);
    expect((await other.session()).status).toBe(200);
    expect((await other.send('POST', CLAIM, { secret: secret, password: PASSWORD })).status).toBe(404);
    const fresh = openBrowser(service.url);
    expect((await fresh.signIn('operator@example.com', PASSWORD)).status).toBe(401);
    expect((await fresh.signIn('operator@example.com', 'quite another password')).status).toBe(200);
  });

  it('creates another operator, and refuses other uses in one line', async () => {
    const installation = await install();
    const service = await installation.start();
    await claimOperator(service);
    const secret = await printedSecret(installation, '--new-operator');
    const taken = await openBrowser(service.url).send('POST', CLAIM, {
      secret: secret,
      ...OPERATOR,
      email: 'operator@example.com',
    });
    expect([taken.status, taken.json]).toMatchObject([409, { error: { code: 'conflict', param: 'email' } }]);
    expect((await openBrowser(service.url).send('POST', CLAIM, { ...OPERATOR, secret: secret })).status).toBe(
      200,
    );
    expect(await installation.json('user', 'list')).toMatchObject([
      { email: 'olga@example.com', operator: true },
      { email: 'operator@example.com', operator: true },
    ]);
    const { environment } = installation;
    expect(failureOf(await gatehouse(['user', 'link'], environment), 1)).toContain(
      'there is already an operator',
    );
    expect(failureOf(await gatehouse(['user', 'link', 'no@example.com'], environment), 1)).toContain(
      'no user',
    );
    expect((await gatehouse(['user', 'link', '--help'], environment)).stdout).toContain('--new-operator');
  });
});
