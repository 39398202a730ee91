/** gatehouse hook: create, rotate, revoke and list; what is stored of a secret, and what is audited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOOK_PROVIDERS } from '../../src/model/hook.ts';
import { failureOf, gatehouse } from '../support/command.ts';
import { plant } from '../support/plant.ts';
import { createInstallation, type Installation } from '../support/service.ts';
import { everythingStored, withStored } from '../support/stored.ts';

interface Shown {
  readonly id: string;
  readonly secret: string | null;
  readonly [member: string]: unknown;
}

const SUPABASE_SECRET = 'v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const TENANT = '11112222-bbbb-3333-cccc-4444dddd5555';

let installation: Installation;
let account: string;
beforeAll(async () => {
  installation = await createInstallation();
  account = (await plant(installation)).id;
});
afterAll(() => installation?.remove());

const run = (...args: string[]) => gatehouse(['hook', ...args], installation.environment);
const read = async <T = Shown>(...args: string[]): Promise<T> => {
  const { status, stdout, stderr } = await run(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as T;
};
const create = (provider: string, ...args: string[]) =>
  read('create', '--account', account, '--provider', provider, '--name', 'signup form', '--json', ...args);
const listed = async (id: string) =>
  (await read<Shown[]>('list', '--account', account)).find((hook) => hook.id === id);

describe('create', () => {
  it('prints the path and a secret, which is stored encrypted and never shown again', async () => {
    const made = await create(
      'supabase',
      '--secret',
      SUPABASE_SECRET,
      '--on-error',
      'deny',
      '--mode',
      'test',
    );
    expect(made).toEqual({
      id: expect.stringMatching(/^hk_[0-9a-z]{20,}$/),
      path: `/hooks/supabase/${made.id}`,
      account_id: account,
      provider: 'supabase',
      name: 'signup form',
      mode: 'test',
      secret: SUPABASE_SECRET,
      has_secret: true,
      old_secret_until: null,
      challenge_as: 'allow',
      on_error: 'deny',
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      revoked_at: null,
    });
    const { secret, ...rest } = made;
    expect(await listed(made.id)).toEqual(rest);
    const pieces = await everythingStored(installation);
    expect(pieces.some((bytes) => bytes.includes(made.id))).toBe(true);
    expect(pieces.some((bytes) => bytes.includes('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'))).toBe(false);
  });

  it('makes a secret in the provider’s form, or none if only the provider can make one', async () => {
    const secrets: Record<string, string | null> = {};
    for (const provider of HOOK_PROVIDERS) secrets[provider] = (await create(provider)).secret;
    const text = expect.stringMatching(/^[\w-]{43}$/);
    expect(secrets).toEqual({
      supabase: expect.stringMatching(/^v1,whsec_[A-Za-z0-9+/]{43}=$/),
      kratos: text,
      workos: null,
      okta: text,
      entra: null,
      neon: null,
      zitadel: null,
      fusionauth: text,
    });
  });

  it.each([
    ['supabase', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /v1,whsec_/],
    ['kratos', 'short', /`Authorization`/],
    ['workos', ' ', /signing secret/],
    ['neon', 'not a URL', /jwks\.json/],
    ['entra', 'tenant=one audience=two', /tenant=ID audience=ID/],
  ])('refuses a secret that %s would not send', async (provider, secret, words) => {
    const args = ['create', '--account', account, '--provider', provider, '--name', 'n', '--secret', secret];
    expect(failureOf(await run(...args, '--json'), 1)).toMatch(words);
  });

  it('accepts the forms that name public keys', async () => {
    const url = 'https://ep-cool.neonauth.example/neondb/auth/.well-known/jwks.json';
    expect((await create('neon', '--secret', url)).secret).toBe(url);
    expect((await create('fusionauth', '--secret', url)).secret).toBe(url);
    const settings = `tenant=${TENANT} audience=${TENANT}`;
    expect((await create('entra', '--secret', settings)).secret).toBe(settings);
  });

  it('refuses an unknown provider and an unknown account', async () => {
    const bare = await run('create', '--account', account, '--provider', 'clerk', '--name', 'n');
    expect(failureOf(bare, 2)).toMatch(/supabase/);
    const args = ['create', '--account', 'acc_nobody', '--provider', 'okta', '--name', 'n', '--json'];
    expect(failureOf(await run(...args), 1)).toMatch(/no account acc_nobody/);
  });

  it('writes the secret to a file when it would be piped', async () => {
    const args = ['create', '--account', account, '--provider', 'okta', '--name', 'n'];
    const made = await read<Shown>(...args);
    expect(made).not.toHaveProperty('secret');
    expect(made.secret_file).toMatch(new RegExp(`${made.id}\\.txt$`));
  });
});

describe('rotate and revoke', () => {
  it('keeps the old secret valid for a day, or refuses it at once', async () => {
    const { id, secret } = await create('kratos');
    const rotated = await read('rotate', id, '--json');
    expect(rotated.secret).not.toBe(secret);
    const hours = (Date.parse(rotated.old_secret_until as string) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(await read('rotate', id, '--at-once', '--json')).toMatchObject({ id, old_secret_until: null });
  });

  it('sets the first secret if the provider makes its own, and asks for it', async () => {
    const { id, has_secret: has } = await create('workos');
    expect(has).toBe(false);
    expect(failureOf(await run('rotate', id, '--json'), 1)).toMatch(/signing secret/);
    const set = await read('rotate', id, '--secret', 'a secret of WorkOS', '--json');
    expect(set).toMatchObject({ has_secret: true, old_secret_until: null });
  });

  it('revokes once, and is audited like keys, without the secret', async () => {
    const { id } = await create('supabase', '--secret', SUPABASE_SECRET);
    const revoked = await read('revoke', id);
    expect(revoked.revoked_at).toMatch(/Z$/);
    expect(await read('revoke', id)).toEqual(revoked);
    expect(failureOf(await run('rotate', id, '--json'), 1)).toMatch(/is revoked/);
    expect(failureOf(await run('revoke', 'hk_nobody'), 1)).toMatch(/no hook hk_nobody/);
    const { entries } = await withStored(installation, (store) => store.auditEntries(account, null, 100));
    expect(entries.slice(0, 2).map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['hook.revoke', 'supabase hook signup form', ''],
      ['hook.create', 'supabase hook signup form', 'challenge as allow, on error allow'],
    ]);
    expect(entries.map(({ action }) => action)).toContain('hook.rotate');
    expect(JSON.stringify(entries)).not.toContain('whsec');
  });
});
