/** Creates accounts, keys and tokens directly in the store, which is fast; the command line has its own tests. */
import { randomUUID } from 'node:crypto';
import { makeKey } from '../../src/accounts/api-keys.ts';
import { makeManageToken } from '../../src/accounts/manage-tokens.ts';
import type { KeyMode } from '../../src/model/key-mode.ts';
import type { ManageScope, ManageToken } from '../../src/model/manage-token.ts';
import type { Account, Key } from '../../src/store/store.ts';
import { anAccount } from './an-account.ts';
import type { Installation } from './service.ts';
import { withStored } from './stored.ts';

export interface Planted {
  readonly id: string;
  /** Key texts. */
  readonly live: string;
  readonly test: string;
}

/** An account with a key of each kind; plan `business` by default. */
export async function plant(installation: Installation, fields: Partial<Account> = {}): Promise<Planted> {
  const account = anAccount({
    id: `acc_${randomUUID()}`,
    name: 'tests',
    plan: 'business',
    createdAt: Date.now(),
    ...fields,
  });
  const [live, test] = [keyOf(account.id, 'live', {}), keyOf(account.id, 'test', {})];
  await withStored(installation, async (store) => {
    await store.saveAccount(account);
    await Promise.all([store.saveKey(live.key), store.saveKey(test.key)]);
  });
  return { id: account.id, live: live.secret, test: test.secret };
}

/** Creates another key for an account; a running service knows it within a second. */
export async function plantKey(
  installation: Installation,
  account: string,
  mode: KeyMode,
  fields: Partial<Key> = {},
): Promise<string> {
  const { key, secret } = keyOf(account, mode, fields);
  await withStored(installation, (store) => store.saveKey(key));
  return secret;
}

/** Creates a token of the management API for each row of scopes; a running service knows them within a second. */
export async function plantTokens(
  installation: Installation,
  ...rows: readonly (Partial<ManageToken> & { readonly scopes: readonly ManageScope[] })[]
): Promise<{ id: string; text: string }[]> {
  const made = rows.map(({ scopes, accountId = null, ...fields }) => {
    const settings = { name: 'tests', scopes, accountId, createdBy: 'tests', expiresInDays: null };
    const { token, secret } = makeManageToken({ ...settings, id: `tok_${randomUUID()}`, now: Date.now() });
    return { token: { ...token, ...fields }, secret };
  });
  await withStored(installation, async (store) => {
    for (const { token } of made) await store.saveToken(token);
  });
  return made.map(({ token, secret }) => ({ id: token.id, text: secret }));
}

function keyOf(accountId: string, mode: KeyMode, fields: Partial<Key>): { key: Key; secret: string } {
  const id = `key_${randomUUID()}`;
  const { key, secret } = makeKey({
    id,
    accountId,
    mode,
    name: 'tests',
    thresholds: null,
    now: Date.now(),
  });
  return { key: { ...key, ...fields }, secret };
}
