/** gatehouse key: create, set, revoke and list, beside a running service and without one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { type CommandResult, failureOf, gatehouse } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored } from '../support/stored.ts';

interface Shown {
  readonly id: string;
  readonly [member: string]: unknown;
}

let installation: Installation;
let account: string;
beforeAll(async () => {
  installation = await createInstallation();
  account = (await plant(installation)).id;
});
afterAll(() => installation?.remove());

const run = (...args: string[]): Promise<CommandResult> =>
  gatehouse(['key', ...args], installation.environment);
const read = async <T = Shown>(...args: string[]): Promise<T> => {
  const { status, stdout, stderr } = await run(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as T;
};
const create = (mode: string, ...args: string[]) =>
  read('create', '--account', account, '--mode', mode, '--name', 'signup form', '--json', ...args);
const listed = async (id: string) =>
  (await read<Shown[]>('list', '--account', account)).find((key) => key.id === id);

describe('create', () => {
  it.each(['live', 'test'])('prints a %s key, which is never shown again', async (mode) => {
    const made = await create(mode);
    expect(made).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{20,}$/),
      account_id: account,
      name: 'signup form',
      mode,
      shadow: false,
      enforced_share: 100,
      // 27 characters of base62 carry 160 bits.
      key: expect.stringMatching(new RegExp(`^sk_${mode}_[0-9A-Za-z]{27,}$`)),
      prefix: (made.key as string).slice(0, 12),
      challenge: null,
      block: null,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      rotated_at: null,
      old_prefix: null,
      old_used_at: null,
      old_valid_until: null,
      expires_at: null,
      allowed_ranges: null,
      revoked_at: null,
    });
    const { key, ...rest } = made;
    expect(await listed(made.id)).toEqual(rest);
    const pieces = await everythingStored(installation);
    expect(pieces.some((bytes) => bytes.includes(made.id as string))).toBe(true);
    expect(pieces.some((bytes) => bytes.includes(key as string))).toBe(false);
  });

  it('accepts thresholds, and makes another key each time', async () => {
    const [first, second] = await Promise.all([
      create('live', '--challenge', '10', '--block', '20'),
      create('live', '--challenge', '70', '--block', '70'),
    ]);
    expect(first).toMatchObject({ challenge: 10, block: 20 });
    expect(second).toMatchObject({ challenge: 70, block: 70 });
    expect(first.key).not.toBe(second.key);
  });
});

describe('set', () => {
  it('changes only what it names', async () => {
    const { key: _, ...made } = await create('live');
    expect(await read('set', made.id, '--name', 'renamed')).toEqual({ ...made, name: 'renamed' });
    const changed = await read('set', made.id, '--challenge', '5', '--block', '6', '--json');
    expect(changed).toEqual({ ...made, name: 'renamed', challenge: 5, block: 6 });
    expect(await listed(made.id)).toEqual(changed);
  });
});

describe('rotate', () => {
  it('makes a second secret, and ends the old one or takes the rotation back', async () => {
    const limits = ['--expires', '2099-01-31', '--from', '203.0.113.7,2001:db8::/32'];
    const { key: first, ...made } = await create('live', ...limits);
    expect(made).toMatchObject({
      expires_at: '2099-01-31T00:00:00Z',
      allowed_ranges: '203.0.113.7/32,2001:db8::/32',
    });
    const { key: second, ...rotated } = await read('rotate', made.id, '--json', '--overlap', '7d');
    expect(second).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    expect(rotated).toEqual({
      ...made,
      prefix: (second as string).slice(0, 12),
      rotated_at: expect.stringMatching(/Z$/),
      old_prefix: (first as string).slice(0, 12),
      old_valid_until: expect.stringMatching(/Z$/),
    });
    expect(failureOf(await run('rotate', made.id, '--json'), 1)).toContain('two secrets already');
    const undone = await read('undo-rotate', made.id);
    expect(undone).toMatchObject({ prefix: made.prefix, old_prefix: rotated.prefix });
    expect(failureOf(await run('end-old', made.id), 1)).toContain('not valid any more');
    await read('rotate', made.id, '--json');
    const ended = await read('end-old', made.id);
    expect(Date.parse(ended.old_valid_until as string)).toBeLessThanOrEqual(Date.now());
    const open = await read('set', made.id, '--expires', 'never', '--from', 'anywhere');
    expect(open).toMatchObject({ expires_at: null, allowed_ranges: null });
  });

  it.each([
    ['rotate', '--overlap', '31d'],
    ['rotate', '--overlap', 'soon'],
    ['set', '--from', '203.0.113.0/40'],
    ['set', '--expires', '2020-01-01'],
    ['enforce', '--share', '0'],
    ['enforce', '--share', '101'],
    ['enforce', '--share', 'half'],
  ])('%s refuses %s %s', async (command, option, value) =>
    expect(failureOf(await run(command, 'key_x', option, value), 2)).toContain(option),
  );
});

describe('revoke', () => {
  it('revokes a key once, and keeps the time of its first revocation', async () => {
    const { key: _, ...made } = await create('test');
    const revoked = await read('revoke', made.id);
    expect(revoked).toEqual({ ...made, revoked_at: expect.stringMatching(/Z$/) });
    expect(await read('revoke', made.id, '--json')).toEqual(revoked);
    expect(await listed(made.id)).toEqual(revoked);
  });
});

describe('list', () => {
  it('shows the keys of one account, and of no other', async () => {
    const other = await plant(installation);
    const keys = await read<Shown[]>('list', '--account', other.id, '--json');
    expect(keys.map(({ mode }) => mode).toSorted()).toEqual(['live', 'test']);
    expect(new Set(keys.map(({ account_id }) => account_id))).toEqual(new Set([other.id]));
    expect(JSON.stringify(keys)).not.toContain(other.live.slice(12));
  });
});

describe('beside a running service', () => {
  it('a key works from its creation to its revocation, and shows when it was last used', async () => {
    const service = await installation.start();
    const made = await create('live');
    const client = createClient(service.url, made.key as string);
    await expect.poll(async () => (await client.usage()).status).toBe(200);
    await read('revoke', made.id);
    await expect
      .poll(async () => (await client.usage()).json)
      .toMatchObject({ error: { code: 'token_revoked' } });
    client.close();
    expect(await service.stop()).toBe(0);
    expect(await listed(made.id)).toMatchObject({ last_used_at: expect.stringMatching(/Z$/) });
  });
});

describe('a failure', () => {
  it('has status 1 and one line that says why', async () => {
    const forNobody = ['--account', 'acc_nobody', '--mode', 'live', '--name', 'x'];
    const crossed = [
      '--account',
      account,
      '--mode',
      'live',
      '--name',
      'x',
      '--challenge',
      '2',
      '--block',
      '1',
    ];
    const failing: [string[], string][] = [
      [['create', ...forNobody], 'acc_nobody'],
      [['list', '--account', 'acc_nobody'], 'acc_nobody'],
      [['set', 'key_nobody', '--name', 'x'], 'key_nobody'],
      [['revoke', 'key_nobody'], 'key_nobody'],
      [['create', ...crossed], '--challenge'],
    ];
    await Promise.all(
      failing.map(async ([args, named]) => expect(failureOf(await run(...args), 1)).toContain(named)),
    );
  });
});
