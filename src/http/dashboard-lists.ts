/** GET and POST …/lists, DELETE of an entry: the account's own allow and block lists. */
import { nameUser } from '../accounts/audit-log.ts';
import { createListAdmin, type ListAdminOptions, type ReadEntry } from '../accounts/list-admin.ts';
import type { ListEntryRow } from '../contract/dashboard-account.ts';
import { Problem } from '../contract/problem.ts';
import { LIST_ACTIONS, type ListEntry } from '../model/list-entry.ts';
import type { AuditStore } from '../store/audit-store.ts';
import { instantOrNull, toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { bodyOf, lineOf, oneOf, TEXT } from './dashboard-values.ts';
import { readSentEntry, type SentListEntry, type SentListEntryOptions } from './list-values.ts';
import { entriesOf, entryFacts } from './state-facts.ts';
import { requireVersion, versionOf } from './state-version.ts';

interface EntryBody extends SentListEntry {
  readonly action: string;
  readonly reason: string;
}

const EXPIRY = { type: ['string', 'null'] };
const EXACT = { type: 'boolean' };
const PROPERTIES = {
  action: TEXT,
  value: TEXT,
  exact: EXACT,
  reason: TEXT,
  expires_at: EXPIRY,
  confirm: TEXT,
};

export interface ListsRoutesOptions extends ListAdminOptions, SentListEntryOptions {
  readonly store: ListAdminOptions['store'] & Pick<AuditStore, 'auditEntries'>;
}

export function listsRoutes(routes: DashboardRoutes, options: ListsRoutesOptions): void {
  const { store } = options;
  const admin = createListAdmin(options);

  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/lists',
    minRole: 'member',
    async handle({ account }): Promise<ListEntryRow[]> {
      const entries = await store.listEntries(account.id);
      return entries.map(toEntry).reverse();
    },
  });

  routes.forAccount<EntryBody>({
    method: 'POST',
    path: '/accounts/:account/lists',
    minRole: 'analyst',
    body: bodyOf(PROPERTIES, ['action', 'value', 'reason']),
    async handle({ account, body, query, user, now, auditEntry }): Promise<ListEntryRow> {
      const action = oneOf(LIST_ACTIONS, 'action', body.action);
      const reason = lineOf('reason', body.reason);
      const read = (saved: readonly ListEntry[]) => readSentEntry({ ...body, action }, saved, now, options);
      const entry = { accountId: account.id, action, reason, author: nameUser(user), read };
      const check = (sent: ReadEntry, saved: readonly ListEntry[]) =>
        requireVersion(query.version, entryFacts(entriesOf(sent, saved, now), sent.shown), {
          store,
          accountId: account.id,
        });
      return toEntry(
        await admin.save(entry, now, auditEntry, query.version === undefined ? undefined : check),
      );
    },
  });

  routes.forAccount({
    method: 'DELETE',
    path: '/accounts/:account/lists/:id',
    minRole: 'analyst',
    async handle({ account, params, query, auditEntry }): Promise<void> {
      const entry = await admin.find(account.id, params.id);
      if (entry === undefined) {
        throw new Problem('not_found', undefined, {
          message: 'This account has no list entry with this id.',
          resolution: 'Check the lists: somebody may have removed it.',
        });
      }
      const { id, shown } = entry;
      const check = (saved: readonly ListEntry[]) => {
        const current = saved.filter((each) => each.id === id);
        return requireVersion(query.version, entryFacts(current, shown), { store, accountId: account.id });
      };
      await admin.remove(entry, auditEntry, query.version === undefined ? undefined : check);
    },
  });
}

/** An entry as the dashboard lists it. */
export function toEntry(entry: ListEntry): ListEntryRow {
  return {
    id: entry.id,
    action: entry.action,
    kind: entry.kind,
    value: entry.shown,
    reason: entry.reason ?? '',
    author: entry.author,
    created_at: toInstant(entry.createdAt),
    expires_at: instantOrNull(entry.expiresAt),
    hits: entry.hits,
    version: versionOf(entryFacts([entry], entry.shown)),
  };
}
