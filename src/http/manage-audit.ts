/** /v1/manage/…/audit: who changed what, in an account or in the whole installation. */
import type { ManageAuditEntry } from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditStore } from '../store/audit-store.ts';
import { readAuditFilter } from './audit-filter.ts';
import { readLimit, unusable } from './dashboard-values.ts';
import type { ManageRoutes } from './manage-route.ts';

export interface ManageAuditOptions {
  readonly store: Pick<AuditStore, 'auditEntries'>;
}

export function manageAuditRoutes(routes: ManageRoutes, { store }: ManageAuditOptions): void {
  async function read(accountId: string | null, query: Readonly<Record<string, string>>) {
    const [after, limit] = [readAfter(query.after), readLimit(query.limit)];
    const page = await store.auditEntries(accountId, after, limit, readAuditFilter(query));
    const data = page.entries.map(
      ({ at, by, action, target, detail }, index): ManageAuditEntry => ({
        id: String(page.positions[index]),
        at: toTimestamp(at),
        by,
        account_id: accountId,
        action,
        target,
        detail,
      }),
    );
    return { data, next: page.next === null ? null : String(page.next) };
  }

  routes.forAccount('listAudit', ({ account, query }) => read(account.id, query));

  routes.forAll('listInstallationAudit', ({ token, query }) => {
    if (token.accountId === null) return read(null, query);
    throw manageProblem('forbidden', undefined, {
      message: 'The token is bound to one account, and sees only the log of that account.',
      resolution: 'Create a token without `--account`.',
    });
  });
}

function readAfter(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unusable(
    'after',
    '`after` is not a position in the log.',
    'Send the `next` of the previous page unchanged.',
  );
}
