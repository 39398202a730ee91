/** gatehouse token: create, list and revoke; what is stored of a token, and what is audited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored } from '../support/stored.ts';

interface Shown {
  readonly id: string;
  readonly token?: string;
  readonly [member: string]: unknown;
}

let installation: Installation;
let account: string;
beforeAll(async () => {
  installation = await createInstallation();
  account = (await plant(installation)).id;
});
afterAll(() => installation?.remove());

const create = (...args: string[]) => installation.json<Shown>('token', 'create', '--name', 'ci', ...args);
const listed = async (id: string) =>
  (await installation.json<Shown[]>('token', 'list')).find((token) => token.id === id);
const audited = async (...args: string[]) =>
  (await installation.json<Shown[]>('audit', ...args)).map(({ action, target, detail }) => [
    action,
    target,
    detail,
  ]);

describe('gatehouse token', () => {
  it('create prints a token with its scopes; only its hash is stored', async () => {
    const scopes = ['--scope', 'keys:write', '--scope', 'accounts:read', '--scope', 'keys:write'];
    const made = await create(...scopes);
    expect(made).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-z]{20,}$/),
      name: 'ci',
      token: expect.stringMatching(/^gatehouse_token_[0-9A-Za-z]{32}$/),
      prefix: made.token?.slice(0, 20),
      scopes: ['accounts:read', 'keys:write'],
      account_id: null,
      state: 'active',
      created_by: expect.stringMatching(/^command line \(.+@.+\)$/),
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    });
    const { token, ...rest } = made;
    expect(await listed(made.id)).toEqual(rest);
    const pieces = await everythingStored(installation);
    expect(pieces.some((bytes) => bytes.includes(made.id))).toBe(true);
    expect(pieces.some((bytes) => bytes.includes(token as string))).toBe(false);
    expect((await audited('--limit', '1'))[0]).toEqual([
      'token.create',
      'token ci',
      `${made.prefix}…, accounts:read keys:write, all accounts, without an end`,
    ]);
  });

  it('create binds a token to an account, and sets an expiry', async () => {
    const made = await create('--scope', 'lists:write', '--account', account, '--expires', '90');
    expect(made.account_id).toBe(account);
    const days = (Date.parse(String(made.expires_at)) - Date.parse(String(made.created_at))) / 86_400_000;
    expect(days).toBe(90);
    expect(await audited('--account', account)).toEqual([
      ['token.create', 'token ci', `${made.prefix}…, lists:write, this account, for 90 days`],
    ]);
  });

  it('revoke takes effect at once, and works once', async () => {
    const { id, prefix } = await create('--scope', 'audit:read');
    const revoked = await installation.json<Shown>('token', 'revoke', id);
    expect(revoked).toMatchObject({ id, state: 'revoked', revoked_at: expect.stringMatching(/Z$/) });
    expect(await installation.json('token', 'revoke', id)).toEqual(revoked);
    expect((await audited()).filter(([action]) => action === 'token.revoke')).toEqual([
      ['token.revoke', 'token ci', `${prefix}…`],
    ]);
  });

  it.each([
    [2, /'keys:all' is invalid.*Use one of accounts:read/, ['create', '--name', 'x', '--scope', 'keys:all']],
    [2, /--scope/, ['create', '--name', 'x']],
    [2, /--expires.*whole number/, ['create', '--name', 'x', '--scope', 'keys:read', '--expires', '0']],
    [1, /no account acc_x/, ['create', '--name', 'x', '--scope', 'keys:read', '--account', 'acc_x']],
    [1, /no token tok_x/, ['revoke', 'tok_x']],
  ] as const)('fails with %i and %s', async (status, line, args) => {
    const before = await audited();
    expect(failureOf(await installation.run('token', ...args), status)).toMatch(line);
    expect(await audited()).toEqual(before);
  });
});
