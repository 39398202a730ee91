/** Makes the account that a new installation starts with. */
import type { MakeId } from '../contract/identifiers.ts';
import type { Account, AccountStore } from '../store/store.ts';
import { makeKey } from './keys.ts';

export interface FirstKeys {
  readonly account: Account;
  /** Key texts, to be shown once. */
  readonly live: string;
  readonly sandbox: string;
}

/** Makes account `default` with one key of each kind at the first start; `undefined` at every later one. */
export async function makeFirstAccount(
  store: Pick<AccountStore, 'saveFirstAccount'>,
  makeId: MakeId,
  now: number,
): Promise<FirstKeys | undefined> {
  const account: Account = {
    id: makeId('acc', now),
    name: 'default',
    plan: 'business',
    overage: false,
    monthlyQuota: null,
    requestsPerSecond: null,
    thresholds: null,
    createdAt: now,
  };
  const given = { accountId: account.id, thresholds: null, now };
  const live = makeKey({ ...given, id: makeId('key', now), mode: 'live', name: 'first live key' });
  const sandbox = makeKey({ ...given, id: makeId('key', now), mode: 'test', name: 'first sandbox key' });
  const made = await store.saveFirstAccount(account, [live.key, sandbox.key]);
  return made ? { account, live: live.secret, sandbox: sandbox.secret } : undefined;
}
