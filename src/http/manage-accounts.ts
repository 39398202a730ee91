/** /v1/manage/accounts: lists, creates and changes accounts. */
import { describeAccountChanges, describeNewThresholds } from '../accounts/audit-log.ts';
import type { Directory } from '../accounts/directory.ts';
import { readName } from '../accounts/user-fields.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ManageAccountChanges, ManageAccountRequest } from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { Account, AccountChanges, AccountStore } from '../store/store.ts';
import { readAccountChanges, showAccount } from './dashboard-accounts.ts';
import { readThresholds } from './dashboard-policy-values.ts';
import { changed, type ManageRoutes, tokenEntry, toPage } from './manage-route.ts';

export interface ManageAccountsOptions {
  readonly store: Pick<AccountStore, 'saveAccountOnce' | 'changeAccount'>;
  readonly directory: Directory;
  readonly makeId: MakeId;
}

export function manageAccountRoutes(routes: ManageRoutes, options: ManageAccountsOptions): void {
  const { store, directory, makeId } = options;

  routes.forAll('listAccounts', ({ token, query }) => {
    const seen = directory.accounts().filter(({ id }) => token.accountId === null || token.accountId === id);
    return toPage(seen, query, showAccount);
  });

  routes.forAll<ManageAccountRequest>('createAccount', async ({ token, body, now }) => {
    if (token.accountId !== null)
      throw manageProblem('forbidden', undefined, {
        message: 'The token is bound to one account, so it cannot create another.',
        resolution: 'Create a token without `--account`.',
      });
    const account: Account = {
      id: makeId('acc', now),
      plan: body.plan,
      overage: false,
      monthlyQuota: null,
      requestsPerSecond: null,
      timeZone: 'UTC',
      thresholds: null,
      ...present(changesOf(body, body.plan)),
      name: readName(body.name),
      createdAt: now,
    };
    const detail = describeAccountChanges(present(changesOf(body, body.plan)));
    const entry = { at: now, accountId: account.id, action: 'account_created', target: account.name, detail };
    if (!(await store.saveAccountOnce(account, tokenEntry(token, entry)))) {
      await directory.refresh();
      throw nameTaken('account', directory.accounts().find(({ name }) => name === account.name)?.id);
    }
    await directory.refresh();
    return showAccount(account);
  });

  routes.forAccount('getAccount', ({ account }) => showAccount(account));

  routes.forAccount<ManageAccountChanges>('updateAccount', async ({ account, body, auditEntry }) => {
    const changes = changed(account, changesOf(body, account.plan));
    const { thresholds, ...settings } = changes;
    const entries = [
      ...(Object.keys(settings).length === 0
        ? []
        : [
            auditEntry(
              'account_changed',
              settings.name ?? account.name,
              describeAccountChanges(settings, account),
            ),
          ]),
      ...(thresholds === undefined
        ? []
        : [
            auditEntry(
              'thresholds.set',
              'account',
              describeNewThresholds('account', account.thresholds, thresholds),
            ),
          ]),
    ];
    if (entries.length === 0) return showAccount(account);
    await store.changeAccount(account.id, changes, ...entries);
    await directory.refresh();
    return showAccount(directory.account(account.id) ?? account);
  });
}

/** A conflict with the id of the resource that has the name, so that a repeated request finds the resource that the first request created. */
export function nameTaken(what: string, id: string | undefined) {
  return manageProblem('conflict', 'name', {
    message: `${what === 'account' ? 'An' : 'A'} ${what} with this name already exists${id === undefined ? '' : `: ${id}`}.`,
    resolution: 'Use that one, or choose another name.',
  });
}

/** @throws Problem when the changes do not fit the plan */
function changesOf(body: ManageAccountChanges, plan: Account['plan']): AccountChanges {
  const { thresholds, ...rest } = body;
  const read = thresholds === undefined || thresholds === null ? thresholds : readThresholds(thresholds);
  return { ...readAccountChanges(rest, plan), thresholds: read };
}

/** Changes without absent members. */
function present<Changes extends object>(changes: Changes) {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [name in keyof Changes]: Exclude<Changes[name], undefined>;
  };
}
