/** Makes the account that a new installation starts with. */
import type { MakeId } from '../contract/identifiers.ts';
import type { Account, AccountStore } from '../store/store.ts';
import { makeKey } from './api-keys.ts';

export interface FirstKeys {
  readonly account: Account;
  /** Key texts, to be shown once. `live` is `null` where it was chosen: the operator who chose it knows it. */
  readonly live: string | null;
  readonly sandbox: string;
}

/**
 * Makes account `default` with one key of each kind where there is no account; else `undefined`.
 * @param bootstrapKey text of the live key; `null` makes one
 * @param keep called before they are stored, where they are going to be. @throws what it throws: then nothing is stored
 */
export async function makeFirstAccount(
  store: Pick<AccountStore, 'saveFirstAccount'>,
  makeId: MakeId,
  now: number,
  bootstrapKey: string | null,
  keep: (keys: FirstKeys) => void = () => {},
): Promise<FirstKeys | undefined> {
  const account: Account = {
    id: makeId('acc', now),
    name: 'default',
    plan: 'business',
    overage: false,
    monthlyQuota: null,
    requestsPerSecond: null,
    timeZone: 'UTC',
    thresholds: null,
    createdAt: now,
  };
  const common = { accountId: account.id, thresholds: null, now };
  const secret = bootstrapKey ?? undefined;
  const live = makeKey({ ...common, id: makeId('key', now), mode: 'live', name: 'first live key', secret });
  const sandbox = makeKey({ ...common, id: makeId('key', now), mode: 'test', name: 'first sandbox key' });
  const keys = { account, live: bootstrapKey === null ? live.secret : null, sandbox: sandbox.secret };
  const made = await store.saveFirstAccount(account, [live.key, sandbox.key], () => keep(keys));
  return made ? keys : undefined;
}
