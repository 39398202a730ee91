/** Entries of the command line in the audit log: who used it, in the same words as the pages. */
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatehouse } from '../support/command.ts';
import { joinAccount } from '../support/join-account.ts';
import { plantPerson } from '../support/person.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

const BY = `command line (${userInfo().username}@${hostname()})`;

let installation: Installation;
let account: string;
beforeAll(async () => {
  installation = await createInstallation();
  account = await idOf('account', 'create', '--name', 'shop', '--plan', 'pro', '--rps', '50');
});
afterAll(() => installation?.remove());

const run = async (...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await gatehouse([...args, '--json'], installation.environment);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};
const idOf = async (...args: string[]) => (JSON.parse(await run(...args)) as { id: string }).id;
/** Newest first, without the times. The text of every entry is checked here. */
const entriesOf = (accountId: string | null) =>
  withStored(installation, async (store) => {
    const { entries } = await store.auditEntries(accountId, null, 100);
    return entries
      .filter(({ by }) => by.startsWith('command line'))
      .map(({ by, action, target, detail }) => {
        expect(by).toBe(BY);
        return [action, target, detail];
      });
  });

describe('the command line', () => {
  it('is in the log of the account that it changes', async () => {
    const key = await idOf('key', 'create', '--account', account, '--mode', 'test', '--name', 'staging');
    const { prefix } = await withStored(installation, async (store) => {
      const { keys } = await store.changesSince(0);
      return keys.find(({ id }) => id === key) as { prefix: string };
    });
    await run('key', 'set', key, '--name', 'qa', '--challenge', '10', '--block', '20');
    await run('key', 'revoke', key);
    await run('key', 'revoke', key);
    await run('account', 'set', account, '--plan', 'business', '--rps', 'plan', '--overage', 'on');
    await run('account', 'set', account, '--challenge', '31', '--block', '71');
    const entry = await idOf(
      'list',
      'add',
      '--account',
      account,
      '--deny',
      'bad.example',
      '--reason',
      'spam',
    );
    await run('list', 'remove', entry, '--account', account);
    expect(await entriesOf(account)).toEqual([
      ['list.remove', 'bad.example', 'Block list'],
      ['list.deny', 'bad.example', 'spam'],
      ['thresholds.set', 'account', 'the default thresholds → challenge 31, block 71'],
      [
        'account_changed',
        'shop',
        'plan pro → business, overage off → on, requests per second 50 → as the plan says',
      ],
      ['key.revoke', 'sandbox key qa', `${prefix}…`],
      ['thresholds.set', 'sandbox key qa', 'the account’s thresholds → challenge 10, block 20'],
      ['key.rename', 'sandbox key qa', 'staging → qa'],
      ['key.create', 'sandbox key staging', `${prefix}…, the account’s thresholds`],
      ['account_created', 'shop', 'plan pro, requests per second 50'],
    ]);
  });

  it('is in the log of the installation if it belongs to no account', async () => {
    const { email } = await plantPerson(installation, { account, role: 'member' });
    await run('user', 'link');
    await run('user', 'link', '--new-operator');
    await run('user', 'link', email);
    const folder = join(installation.environment.GATEHOUSE_DATA_DIR as string, 'nothing');
    const { status } = await gatehouse(['intel', 'import', folder], installation.environment);
    expect(status).toBe(1);
    expect(await entriesOf(null)).toEqual([
      ['intelligence.import', folder, ''],
      ['link_made', email, 'sets a new password'],
      ['link_made', 'operator', 'makes one more operator'],
      ['link_made', 'operator', 'makes the first operator'],
    ]);
  });

  it('is in the log of every account of the person that it verifies or signs out', async () => {
    const id = await idOf('account', 'create', '--name', 'second', '--plan', 'pro');
    const person = await plantPerson(installation, { account: id, role: 'member' });
    const { email } = person;
    await withStored(installation, (store) =>
      joinAccount(store, { userId: person.id, accountId: account, role: 'member' }),
    );
    const ofInstallation = await entriesOf(null);
    await run('user', 'verify', person.id);
    await run('user', 'end-sessions', person.id);
    // Sessions are noted if there were any: this person has none.
    const ofPerson = async (accountId: string) =>
      (await entriesOf(accountId)).filter(([action]) => action === 'person_verified');
    expect(await ofPerson(id)).toEqual([
      ['person_verified', expect.stringContaining(`${email} (not verified, invited by`), ''],
    ]);
    expect(await ofPerson(account)).toEqual([['person_verified', `${email} (not verified)`, '']]);
    expect(await entriesOf(null)).toEqual(ofInstallation);
    await run('user', 'link', person.id);
    expect((await entriesOf(null))[0]).toEqual(['link_made', email, 'sets a new password']);

    const preview = await installation.json('user', 'delete', email);
    expect(preview).toMatchObject({ would_delete: true, email, sessions: 0, memberships: 2 });
    expect(await installation.json('user', 'delete', email, '--yes')).toMatchObject({ deleted: true });
    for (const accountId of [id, account])
      expect((await entriesOf(accountId))[0]).toEqual(['user_deleted', person.id, '']);
    const users = await installation.json<{ id: string }[]>('user', 'list');
    expect(users.map((user) => user.id)).not.toContain(person.id);
  });

  it('adds no entry when it changed nothing', async () => {
    const before = await entriesOf(account);
    for (const args of [
      ['key', 'revoke', 'key_nobody'],
      ['list', 'remove', 'lst_nobody', '--account', account],
      ['account', 'set', account, '--challenge', '90', '--block', '20'],
      ['account', 'set', account],
    ]) {
      await gatehouse(args, installation.environment);
    }
    expect(await entriesOf(account)).toEqual(before);
  });
});

describe('gatehouse audit', () => {
  const DAY_MS = 86_400_000;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  let id: string;
  const shown = async (...args: string[]) =>
    (JSON.parse(await run('audit', ...args)) as { target: string }[]).map(({ target }) => target);
  beforeAll(async () => {
    id = await idOf('account', 'create', '--name', 'read', '--plan', 'pro');
    const now = Date.now();
    // More than one page of entries; the newest is a day older than those before it, as after a step of the clock.
    const days = Array.from({ length: 451 }, (_, index) => 450 - index);
    const entryOf = (day: number) => {
      const at = now - (day === 0 ? 2 : day) * DAY_MS;
      return { at, by: 'jo', accountId: id, action: 'x', target: String(day), detail: '' };
    };
    await withStored(installation, (store) => Promise.all(days.map((day) => store.audit(entryOf(day)))));
  });

  it('shows the newest entries of an account, with who made them', async () => {
    const entries = JSON.parse(await run('audit', '--account', id, '--limit', '2')) as object[];
    const rest = { id: expect.any(Number), by: 'jo', account_id: id, action: 'x', detail: '' };
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(entries).toEqual([
      { at, target: '0', ...rest },
      { at, target: '1', ...rest },
    ]);
    expect(await shown('--account', id)).toHaveLength(100);
    expect(await shown('--account', id, '--limit', '5000')).toHaveLength(452);
  });

  it('shows entries after a time, even if the clock was set back', async () => {
    expect(await shown('--account', id, '--since', '36h')).toEqual(['1']);
    expect(await shown('--account', id, '--since', '60h')).toEqual(['0', '1', '2']);
    expect(await shown('--account', id, '--since', '205d')).toHaveLength(100);
    expect(await shown('--account', id, '--since', day(Date.now() - DAY_MS))).toContain('1');
  });

  it('shows entries of the whole installation, and refuses unknown filters', async () => {
    expect(await shown('--limit', '5000')).not.toContain('read');
    for (const [status, ...args] of [
      [1, '--account', 'acc_x'],
      [2, '--since', 'yesterday'],
      [2, '--since', day(Date.now() + 2 * DAY_MS)],
      [2, '--limit', '0'],
    ] as const) {
      const result = await gatehouse(['audit', ...args], installation.environment);
      expect([result.status, result.stdout], args.join(' ')).toEqual([status, '']);
    }
  });
});
