/** /v1/manage/accounts/{account}/lists: the entries of an account's own lists. */
import type { MakeId } from '../contract/identifiers.ts';
import type { ManageListEntry, ManageListEntryRequest } from '../contract/manage-messages.ts';
import { manageProblem } from '../contract/manage-problems.ts';
import { toTimestamp } from '../contract/timestamp.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { ListStore } from '../store/store.ts';
import {
  checkConfirmed,
  type IsCrowdedDomain,
  type ReadListValue,
  readExpiry,
  readListEntry,
} from './dashboard-lists.ts';
import { lineOf } from './dashboard-values.ts';
import { type ManageAccountCall, type ManageRoutes, toPage } from './manage-route.ts';

export interface ManageListsOptions {
  readonly store: Pick<ListStore, 'saveListEntry' | 'removeListEntry' | 'listEntries'>;
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
  readonly makeId: MakeId;
}

export function manageListRoutes(routes: ManageRoutes, options: ManageListsOptions): void {
  const { store, readListValue, isCrowdedDomain, makeId } = options;

  async function entryOf({ account, params }: Pick<ManageAccountCall<unknown>, 'account' | 'params'>) {
    const entry = (await store.listEntries(account.id)).find(({ id }) => id === params.entry);
    if (entry === undefined) throw manageProblem('not_found');
    return entry;
  }

  routes.forAccount('listListEntries', async ({ account, query }) =>
    toPage(await store.listEntries(account.id), query, toManageEntry),
  );

  routes.forAccount<ManageListEntryRequest>('saveListEntry', async (call) => {
    const { account, body, now, token, auditEntry } = call;
    const { action } = body;
    const saved = (await store.listEntries(account.id)).filter((entry) => entry.action === action);
    const value = readListEntry(() => readListValue(body.value, saved));
    const reason = (body.reason ?? '') === '' ? null : lineOf('reason', body.reason as string);
    checkConfirmed(value, body.confirm, isCrowdedDomain);
    const entry: ListEntry = {
      id: makeId('lst', now),
      accountId: account.id,
      action,
      ...value,
      reason,
      author: `token ${token.name}`,
      createdAt: now,
      expiresAt: readExpiry(body.expires_at, now),
      hits: 0,
      lastHitAt: null,
    };
    const audited = auditEntry(`list.${action}`, entry.shown, reason ?? '');
    return toManageEntry(await store.saveListEntry(entry, audited));
  });

  routes.forAccount('getListEntry', async (call) => toManageEntry(await entryOf(call)));

  routes.forAccount('removeListEntry', async (call) => {
    const entry = await entryOf(call);
    const list = entry.action === 'allow' ? 'Allow list' : 'Block list';
    await store.removeListEntry(entry.id, call.auditEntry('list.remove', entry.shown, list));
    return toManageEntry(entry);
  });
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
