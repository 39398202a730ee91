/** …/lists/:id/history: who added and changed an entry of a list, for owners, who may also erase that. */
import { eraseEntryHistory } from '../accounts/list-admin.ts';
import type { AuditRow } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import type { ListHistoryStore } from '../store/dashboard-store.ts';
import type { ListStore } from '../store/store.ts';
import { toAuditRow } from './dashboard-audit.ts';
import type { DashboardRoutes } from './dashboard-route.ts';

export interface ListHistoryRoutesOptions {
  readonly store: ListHistoryStore & Pick<ListStore, 'listEntries'>;
}

const PATH = '/accounts/:account/lists/:id/history';

export function listHistoryRoutes(routes: DashboardRoutes, { store }: ListHistoryRoutesOptions): void {
  /** @throws Problem `not_found` */
  async function shownAs(accountId: string, id: string | undefined): Promise<string[]> {
    const entry = (await store.listEntries(accountId)).find((each) => each.id === id);
    if (entry === undefined) throw new Problem('not_found');
    return [entry.shown];
  }

  routes.forAccount({
    method: 'GET',
    path: PATH,
    minRole: 'analyst',
    async handle({ account, params }): Promise<AuditRow[]> {
      const entries = await store.listHistory(account.id, await shownAs(account.id, params.id));
      return entries.map(toAuditRow);
    },
  });

  routes.forAccount({
    method: 'DELETE',
    path: PATH,
    minRole: 'owner',
    async handle({ account, params, auditEntry }): Promise<void> {
      const shown = await shownAs(account.id, params.id);
      await eraseEntryHistory(store, account.id, shown, auditEntry);
    },
  });
}
