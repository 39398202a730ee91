/** GET …/audit and …/audit.csv: the audit log of an account, and that of the installation. */
import type { AuditLogRow, AuditRow } from '../contract/dashboard-account.ts';
import type { AuditEntry, AuditStore } from '../store/audit-store.ts';
import { sendAuditCsv } from './audit-csv.ts';
import { describeAuditFilter, readAuditFilter } from './audit-filter.ts';
import { mayUndo } from './audit-undo-changes.ts';
import { findUndone } from './audit-undo-mark.ts';
import { toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { readPage, toCursor } from './dashboard-values.ts';

const EXPORT = ['audit.export', 'audit log'] as const;

export interface AuditRoutesOptions {
  readonly store: AuditStore;
}

interface AuditRows {
  readonly rows: readonly AuditLogRow[];
  readonly cursor: string | null;
}

export function auditRoutes(routes: DashboardRoutes, { store }: AuditRoutesOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/audit',
    minRole: 'owner',
    handle: ({ account, user, query }) => readLog(account.id, query, user.operator),
  });

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/audit.csv',
    minRole: 'owner',
    async handle({ account, query, context, now, audit }) {
      const filter = readAuditFilter(query);
      const note = () => audit(...EXPORT, describeAuditFilter(query));
      await sendAuditCsv(context, { store, accountId: account.id, filter, now, note });
    },
  });

  routes.forOperator({
    method: 'GET',
    path: '/operator/audit',
    handle: ({ query }) => readLog(null, query, true),
  });

  routes.forOperator({
    method: 'GET',
    path: '/operator/audit.csv',
    async handle({ query, context, now, audit }) {
      const filter = readAuditFilter(query);
      const note = () => audit(null, ...EXPORT, describeAuditFilter(query));
      await sendAuditCsv(context, { store, accountId: null, filter, now, note });
    },
  });

  async function readLog(
    accountId: string | null,
    query: Readonly<Record<string, string>>,
    isOperator: boolean,
  ): Promise<AuditRows> {
    const { after, limit } = readPage(query);
    const filter = readAuditFilter(query);
    const page = await store.auditEntries(accountId, after?.at ?? null, limit, filter);
    const may = page.entries.map((entry) => accountId !== null && mayUndo(entry, isOperator));
    const oldest = page.positions[may.lastIndexOf(true)];
    const undone =
      accountId === null || oldest === undefined ? undefined : await findUndone(store, accountId, oldest);
    return {
      rows: page.entries.map((entry, index) => {
        const id = page.positions[index] as number;
        return {
          ...toAuditRow(entry),
          id,
          can_undo: may[index] === true,
          undone_by: undone?.get(id) ?? null,
        };
      }),
      cursor: toCursor(page.next === null ? null : { at: page.next, mark: 'audit' }),
    };
  }
}

/** An entry of the audit log as the dashboard lists it. */
export function toAuditRow({ at, by, action, target, detail }: AuditEntry): AuditRow {
  return { at: toInstant(at), by, action, target, detail };
}
