/** gatehouse account: create, set and list, beside a running service and without one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { withStored } from '../support/stored.ts';

interface Shown {
  readonly id: string;
  readonly name: string;
}

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation?.remove());

const run = (...args: string[]): Promise<CommandResult> => gatehouse(args, installation.environment);
const listed = async (id: string) =>
  (JSON.parse((await run('account', 'list')).stdout) as Shown[]).find((account) => account.id === id);
const create = async (...args: string[]): Promise<Shown> => {
  const { stdout, stderr, status } = await run('account', 'create', ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Shown;
};

describe('without a service', () => {
  it('list shows an empty installation as an empty list', async () => {
    await withStored(installation, async () => {});
    expect(await run('account', 'list')).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
  });

  it('create prints the account as JSON, with --json and when piped, and list shows it', async () => {
    const [piped, account] = await Promise.all([
      create('--name', 'Ümläut & Co', '--plan', 'starter'),
      create('--name', 'asked', '--plan', 'free', '--json'),
    ]);
    expect(piped).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-z]{20,}$/),
      name: 'Ümläut & Co',
      plan: 'starter',
      monthly_quota: 10_000,
      rps: 10,
      overage: false,
      challenge: null,
      block: null,
      time_zone: 'UTC',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(account).toMatchObject({ name: 'asked', plan: 'free', monthly_quota: 1_000, rps: 1 });
    expect(JSON.parse((await run('account', 'list', '--json')).stdout)).toEqual(
      expect.arrayContaining([piped, account]),
    );
  });

  it('create accepts a monthly quota and requests per second instead of those of the plan', async () => {
    const args = ['--monthly-quota', '77', '--rps', '9'];
    const account = await create('--name', 'own limits', '--plan', 'pro', ...args);
    expect(account).toMatchObject({ plan: 'pro', monthly_quota: 77, rps: 9 });
  });

  it('set changes only what it names', async () => {
    const made = await create('--name', 'before', '--plan', 'pro');
    const set = async (...args: string[]) => {
      const { status, stdout, stderr } = await run('account', 'set', made.id, ...args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    expect(await set('--overage', 'on')).toEqual({ ...made, overage: true });
    const all = ['--plan', 'business', '--overage', 'off', '--challenge', '20', '--block', '50'];
    const changed = await set(...all, '--monthly-quota', '5', '--rps', '6', '--name', 'after');
    expect(changed).toEqual({
      ...made,
      name: 'after',
      plan: 'business',
      monthly_quota: 5,
      rps: 6,
      overage: false,
      challenge: 20,
      block: 50,
    });
    expect(await listed(made.id)).toEqual(changed);
    expect(await set('--block', '60')).toEqual({ ...changed, block: 60 });
    const asPlanned = { ...changed, block: 60, monthly_quota: 1_000_000, rps: 200 };
    expect(await set('--monthly-quota', 'plan', '--rps', 'plan')).toEqual(asPlanned);
  });
});

describe('beside a running service', () => {
  it('create, set and list work on the same accounts, the first one among them', async () => {
    const service = await installation.start();
    const { id } = await create('--name', 'beside', '--plan', 'free');
    expect((await run('account', 'set', id, '--plan', 'business')).status).toBe(0);
    const accounts = JSON.parse((await run('account', 'list')).stdout) as Shown[];
    expect(accounts).toContainEqual(expect.objectContaining({ id, name: 'beside', plan: 'business' }));
    const names = accounts.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['default', 'Ümläut & Co']));
    expect(await service.stop()).toBe(0);
  });
});

describe('a failure', () => {
  it('has status 1 and one line that says why, and changes nothing', async () => {
    const { id } = await create('--name', 'free', '--plan', 'free');
    const [unknown, overage, crossed, alone] = await Promise.all([
      run('account', 'set', 'acc_nobody', '--name', 'x'),
      run('account', 'set', id, '--overage', 'on'),
      run('account', 'set', id, '--challenge', '60', '--block', '59'),
      run('account', 'set', id, '--challenge', '61'),
    ]);
    expect(failureOf(unknown, 1)).toContain('acc_nobody');
    expect(failureOf(overage, 1)).toContain('free');
    expect(failureOf(crossed, 1)).toContain('60');
    expect(failureOf(alone, 1)).toContain('61');
    expect(await listed(id)).toMatchObject({ overage: false, challenge: null, block: null });
  });
});
