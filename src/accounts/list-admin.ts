/** Adds and removes entries of an account’s own lists, and erases their history, each with its audit entry: for pages, the management API and the command line. */
import type { MakeId } from '../contract/identifiers.ts';
import { isHashedKind, type ListEntry } from '../model/list-entry.ts';
import type { MakeAuditEntry } from '../store/audit-store.ts';
import type { ListStore, Store } from '../store/store.ts';

export interface ListAdminOptions {
  readonly store: Pick<ListStore, 'saveListEntry' | 'removeListEntry' | 'listEntries'>;
  readonly makeId: MakeId;
}

export interface NewListEntry extends Pick<ListEntry, 'accountId' | 'action' | 'reason' | 'author'> {
  /** Reads the value of the entry, as it is stored. @param saved the account's entries with this action */
  readonly read: (saved: readonly ListEntry[]) => Pick<ListEntry, 'kind' | 'value' | 'shown' | 'expiresAt'>;
}

export interface ListAdmin {
  /**
   * Takes the place of an entry with the same action and value, whose id it keeps.
   * @param now milliseconds since the epoch
   * @throws what `read` throws
   */
  save(entry: NewListEntry, now: number, audit: MakeAuditEntry): Promise<ListEntry>;
  find(accountId: string, id: string | undefined): Promise<ListEntry | undefined>;
  remove(entry: ListEntry, audit: MakeAuditEntry): Promise<void>;
}

const EXACT = 'only this spelling';

export function createListAdmin({ store, makeId }: ListAdminOptions): ListAdmin {
  return {
    async save({ read, ...settings }, now, audit) {
      const { accountId, action, reason } = settings;
      const saved = (await store.listEntries(accountId)).filter((entry) => entry.action === action);
      const entry: ListEntry = {
        ...settings,
        ...read(saved),
        id: makeId('lst', now),
        createdAt: now,
        hits: 0,
        lastHitAt: null,
      };
      return store.saveListEntry(entry, {
        ...audit(`list.${action}`, entry.shown, detailOf(entry, reason ?? '')),
        ...subjectOf(entry),
      });
    },
    find: async (accountId, id) => (await store.listEntries(accountId)).find((entry) => entry.id === id),
    async remove(entry, audit) {
      const list = entry.action === 'allow' ? 'Allow list' : 'Block list';
      await store.removeListEntry(entry.id, {
        ...audit('list.remove', entry.shown, detailOf(entry, list)),
        ...subjectOf(entry),
      });
    },
  };
}

/** Text with what the value does not show: an address and its mailbox look alike. */
function detailOf({ kind }: ListEntry, text: string): string {
  if (kind !== 'address') return text;
  return text === '' ? EXACT : `${EXACT}: ${text}`;
}

/** Person whom the entry is about, where it is one person: an erasure finds the lines of the log by it. */
function subjectOf({ kind, value }: ListEntry): { readonly subject?: string } {
  return isHashedKind(kind) || kind === 'ip' ? { subject: value } : {};
}

/**
 * Erases from the audit log what the values of an entry were, and why; who changed it and when stays.
 * @param shown how the log may show the entry
 * @returns how many entries of the log were about it
 */
export async function eraseEntryHistory(
  store: Pick<Store, 'listHistory' | 'eraseListHistory'>,
  accountId: string,
  shown: readonly string[],
  audit: MakeAuditEntry,
): Promise<number> {
  const { length } = await store.listHistory(accountId, shown);
  const entry = audit('list.history_erased', 'an entry', `${length} entries of this log`);
  await store.eraseListHistory(accountId, shown, entry);
  return length;
}
