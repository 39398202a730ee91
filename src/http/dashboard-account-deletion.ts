/** /dashboard/api/operator/accounts/:account: operators delete an account, after they saw what goes with it. */
import { describeDeletion, takeInventory } from '../accounts/account-inventory.ts';
import type { Directory } from '../accounts/directory.ts';
import type { AccountContentsAnswer } from '../contract/dashboard-installation.ts';
import { Problem } from '../contract/problem.ts';
import type { DashboardStore } from '../store/dashboard-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { Account } from '../store/store.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, TEXT, unusable } from './dashboard-values.ts';

export interface AccountDeletionRoutesOptions {
  readonly store: Pick<DashboardStore, 'accountContents' | 'beginAccountDeletion'> &
    Pick<HistoryStore, 'dayCounts' | 'indexing'>;
  readonly directory: Pick<Directory, 'account' | 'refresh'>;
}

export function accountDeletionRoutes(routes: DashboardRoutes, options: AccountDeletionRoutesOptions): void {
  const { store, directory } = options;

  /** @throws Problem `not_found` */
  function accountOf(id: string | undefined): Account {
    const account = directory.account(id ?? '');
    if (account === undefined) throw new Problem('not_found');
    return account;
  }

  routes.forOperator({
    method: 'GET',
    path: '/operator/accounts/:account/contents',
    async handle({ params, now }): Promise<AccountContentsAnswer> {
      const { id } = accountOf(params.account);
      const {
        listEntries,
        auditEntries,
        credits: _,
        challenges: __,
        ...counts
      } = await takeInventory(store, id, now);
      const indexing = (await store.indexing()) !== null;
      return { ...counts, indexing, list_entries: listEntries, audit_entries: auditEntries };
    },
  });

  routes.forOperator<{ confirm: string }>({
    method: 'DELETE',
    path: '/operator/accounts/:account',
    body: bodyOf({ confirm: TEXT }),
    async handle({ params, body, now, auditEntry }): Promise<void> {
      const { id, name } = accountOf(params.account);
      if (body.confirm.trim() !== name.trim())
        throw unusable(
          'confirm',
          'This is not the name of the account.',
          `Send \`confirm\` with its name: ${name}.`,
        );
      const entry = auditEntry(
        null,
        'account_deleted',
        ...describeDeletion(id, await takeInventory(store, id, now)),
      );
      await store.beginAccountDeletion(id, now, entry);
      await directory.refresh();
    },
  });
}
