/** /v1/manage/accounts/{account}/lists: the entries of an account's own lists. */
import { createListAdmin, type ListAdminOptions, type SavedListEntry } from '../accounts/list-admin.ts';
import type {
  ManageListEntry,
  ManageListEntryRequest,
  ManageSavedListEntry,
} from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import { lineOf } from './dashboard-values.ts';
import { readSentEntry, type SentListEntryOptions } from './list-values.ts';
import { type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export function manageListRoutes(
  routes: ManageRoutes,
  options: ListAdminOptions & SentListEntryOptions,
): void {
  const { store } = options;
  const admin = createListAdmin(options);

  async function entryOf({ account, params }: Pick<ManageAccountCall<unknown>, 'account' | 'params'>) {
    const entry = await admin.find(account.id, params.entry);
    if (entry === undefined) throw manageProblem('not_found');
    return entry;
  }

  routes.forAccount('listListEntries', async ({ account, query }) =>
    toPage(await store.listEntries(account.id), query, toManageEntry),
  );

  routes.forAccount<ManageListEntryRequest>('saveListEntry', async (call) => {
    const { account, body, now, token, auditEntry } = call;
    const reason = (body.reason ?? '') === '' ? null : lineOf('reason', body.reason as string);
    const read = (saved: readonly ListEntry[]) => readSentEntry(body, saved, now, options);
    const entry = { accountId: account.id, action: body.action, reason, author: `token ${token.name}`, read };
    return toSavedEntry(await admin.save(entry, now, auditEntry));
  });

  routes.forAccount('getListEntry', async (call) => toManageEntry(await entryOf(call)));

  routes.forAccount('removeListEntry', async (call) => {
    const entry = await entryOf(call);
    await admin.remove(entry, call.auditEntry);
    return toManageEntry(entry);
  });
}

function toSavedEntry(saved: SavedListEntry): ManageSavedListEntry {
  const { replaced, conflicts } = saved;
  const before = replaced === null ? null : toManageEntry(replaced);
  return {
    ...toManageEntry(saved),
    replaced: before && { reason: before.reason, author: before.author, expires_at: before.expires_at },
    conflicts: conflicts.map(({ entry, winner }) => {
      const { id, action, kind, value, reason, author, expires_at } = toManageEntry(entry);
      return { id, action, kind, value, reason, author, expires_at, winner };
    }),
  };
}

function toManageEntry(entry: ListEntry): ManageListEntry {
  return {
    id: entry.id,
    account_id: entry.accountId,
    action: entry.action,
    kind: entry.kind,
    value: entry.shown,
    reason: entry.reason,
    author: entry.author,
    created_at: toTimestamp(entry.createdAt),
    expires_at: entry.expiresAt === null ? null : toTimestamp(entry.expiresAt),
    hits: entry.hits,
    last_hit_at: entry.lastHitAt === null ? null : toTimestamp(entry.lastHitAt),
  };
}
