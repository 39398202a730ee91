/** Tokens of the management API in the dashboard's API: an operator creates one, it works at once, and is refused at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '../../src/contract/dashboard-account.ts';
import type { CreatedToken, TokenRow } from '../../src/contract/dashboard-tokens.ts';
import { type Browser, claimOperator } from '../support/browser.ts';
import { createClient } from '../support/client.ts';
import { problemOf } from '../support/expectations.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation, type Service } from '../support/service.ts';

const PATH = '/dashboard/api/operator/tokens';
const NEW = {
  name: 'terraform',
  scopes: ['keys:write', 'audit:read'],
  account_id: null,
  expires_in_days: 90,
};
const DAY_MS = 86_400_000;

let installation: Installation;
let service: Service;
let operator: Browser;
let [ours, theirs] = ['', ''];

beforeAll(async () => {
  installation = await createInstallation();
  ours = (await plant(installation, { name: 'ours' })).id;
  theirs = (await plant(installation, { name: 'theirs' })).id;
  service = await installation.start();
  operator = await claimOperator(service);
}, 240_000);
afterAll(() => installation?.remove());

const create = async (changes: object = {}) =>
  (await operator.send<CreatedToken>('POST', PATH, { ...NEW, ...changes })).json;
const list = async () => (await operator.send<TokenRow[]>('GET', PATH)).json;

async function manage(secret: string, path: string) {
  const client = createClient(service.url, secret);
  return client.send({ method: 'GET', path: `/v1/manage${path}` }).finally(() => client.close());
}

describe('a token', () => {
  it('is shown once, works at once, and shows what it may do, by whom and until when', async () => {
    const { token, secret } = await create();
    expect(secret).toMatch(/^gatehouse_token_[0-9A-Za-z]{32}$/);
    expect(token).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'terraform',
      prefix: secret.slice(0, 20),
      scopes: ['audit:read', 'keys:write'],
      account: null,
      state: 'active',
      created_by: 'operator@example.com',
      created_at: expect.any(String),
      revoked_at: null,
      expires_at: expect.any(String),
      last_used_at: null,
    });
    expect(Date.parse(token.expires_at as string) - Date.parse(token.created_at)).toBe(90 * DAY_MS);
    expect((await manage(secret, `/accounts/${ours}/keys`)).status).toBe(200);
    const [row] = (await list()).filter(({ id }) => id === token.id);
    expect(row).toEqual({ ...token, last_used_at: expect.any(String) });
    const { text } = await operator.send('GET', PATH);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('hash');
    expect(await installation.json('token', 'list')).toContainEqual(
      expect.objectContaining({ id: token.id, created_by: 'operator@example.com' }),
    );
  });

  it('of an account sees no other account', async () => {
    const { token, secret } = await create({ account_id: ours, expires_in_days: null });
    expect([token.account, token.expires_at]).toEqual([{ id: ours, name: 'ours' }, null]);
    const statuses = [ours, theirs].map((id) => manage(secret, `/accounts/${id}/keys`));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 404]);
  });

  it('from the command line is listed, and can be revoked here', async () => {
    const made = await installation.json<{ id: string; token: string }>(
      'token',
      'create',
      '--name',
      'script',
      '--scope',
      'keys:read',
    );
    // The service reads what the command line changed, several times a second.
    await expect.poll(async () => (await manage(made.token, `/accounts/${ours}/keys`)).status).toBe(200);
    const { json } = await operator.send<TokenRow>('POST', `${PATH}/${made.id}/revoke`);
    expect(json).toMatchObject({ id: made.id, state: 'revoked', revoked_at: expect.any(String) });
    expect(problemOf(await manage(made.token, `/accounts/${ours}/keys`)).code).toBe('token_revoked');
    const again = await operator.send<TokenRow>('POST', `${PATH}/${made.id}/revoke`);
    expect([again.status, again.json]).toEqual([200, json]);
  });

  it.each([
    [{ scopes: [] }, 'invalid_value', 'scopes'],
    [{ scopes: ['keys:read', 'tokens:write'] }, 'missing_field', 'scopes'],
    [{ scopes: 'keys:read' }, 'missing_field', 'scopes'],
    [{ name: ' ' }, 'invalid_value', 'name'],
    [{ account_id: 'acc_none' }, 'invalid_value', 'account_id'],
    [{ expires_in_days: 0 }, 'missing_field', 'expires_in_days'],
    [{ expires_in_days: 3_651 }, 'missing_field', 'expires_in_days'],
    [{ expires_in_days: 1.5 }, 'missing_field', 'expires_in_days'],
  ])('of %j is refused', async (changes, code, param) => {
    const before = await list();
    const answer = await operator.send('POST', PATH, { ...NEW, ...changes });
    expect(problemOf(answer)).toEqual({ status: 400, code, param });
    expect(await list()).toEqual(before);
  });
});

describe('the audit log', () => {
  it('has each change once: in the account of the token, or else in the installation', async () => {
    const bound = await create({ name: 'bound', account_id: theirs, expires_in_days: null });
    const free = await create({ name: 'free', scopes: ['lists:read'], expires_in_days: 1 });
    for (const { token } of [bound, free, free]) await operator.send('POST', `${PATH}/${token.id}/revoke`);
    const read = async (path: string, name: string) => {
      const { json } = await operator.send<{ rows: AuditRow[] }>('GET', `/dashboard/api/${path}`);
      const rows = json.rows.filter(({ target }) => target === `token ${name}`);
      return rows.map(({ by, action, detail }) => [by, action, detail]);
    };
    const by = 'operator@example.com';
    const [first, second] = [bound, free].map(({ token }) => `${token.prefix}…`);
    expect(await read(`accounts/${theirs}/audit`, 'bound')).toEqual([
      [by, 'token.revoke', first],
      [by, 'token.create', `${first}, audit:read keys:write, this account, without an end`],
    ]);
    expect(await read('operator/audit', 'free')).toEqual([
      [by, 'token.revoke', second],
      [by, 'token.create', `${second}, lists:read, all accounts, for 1 day`],
    ]);
  });
});
