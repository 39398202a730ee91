/** Adds and removes entries of an account's own lists, each with its audit entry: for the dashboard and the management API. */
import type { MakeAuditEntry } from '../accounts/hook-admin.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { ListEntry } from '../model/list-entry.ts';
import type { ListStore } from '../store/store.ts';
import {
  checkConfirmed,
  type IsCrowdedDomain,
  type ReadListValue,
  readExpiry,
  readListEntry,
} from './list-values.ts';

export interface ListAdminOptions {
  readonly store: Pick<ListStore, 'saveListEntry' | 'removeListEntry' | 'listEntries'>;
  readonly readListValue: ReadListValue;
  readonly isCrowdedDomain: IsCrowdedDomain;
  readonly makeId: MakeId;
}

export interface NewListEntry extends Pick<ListEntry, 'action' | 'reason' | 'author'> {
  /** As a person writes it. */
  readonly value: string;
  /** RFC 3339, in the future; nothing or an empty text: never. */
  readonly expires_at?: string | null | undefined;
  /** The value again, to confirm an entry that affects very many people. */
  readonly confirm?: string | undefined;
}

export interface ListAdmin {
  /**
   * Takes the place of an entry with the same action and value, whose id it keeps.
   * @param now milliseconds since the epoch
   * @throws Problem `invalid_value`
   */
  save(accountId: string, entry: NewListEntry, now: number, audit: MakeAuditEntry): Promise<ListEntry>;
  find(accountId: string, id: string | undefined): Promise<ListEntry | undefined>;
  remove(entry: ListEntry, audit: MakeAuditEntry): Promise<void>;
}

export function createListAdmin(options: ListAdminOptions): ListAdmin {
  const { store, readListValue, isCrowdedDomain, makeId } = options;
  return {
    async save(accountId, { action, reason, author, ...sent }, now, audit) {
      const saved = (await store.listEntries(accountId)).filter((entry) => entry.action === action);
      const value = readListEntry(() => readListValue(sent.value, saved));
      checkConfirmed(value, sent.confirm, isCrowdedDomain);
      const entry: ListEntry = {
        id: makeId('lst', now),
        accountId,
        action,
        ...value,
        reason,
        author,
        createdAt: now,
        expiresAt: readExpiry(sent.expires_at, now),
        hits: 0,
        lastHitAt: null,
      };
      return store.saveListEntry(entry, audit(`list.${action}`, entry.shown, reason ?? ''));
    },
    find: async (accountId, id) => (await store.listEntries(accountId)).find((entry) => entry.id === id),
    async remove({ id, action, shown }, audit) {
      const list = action === 'allow' ? 'Allow list' : 'Block list';
      await store.removeListEntry(id, audit('list.remove', shown, list));
    },
  };
}
