/** Adds and removes entries of an account’s own lists, and erases their history, each with its audit entry: for pages, the management API and the command line. */
import type { MakeId } from '../contract/identifiers.ts';
import { isHashedKind, type ListAction, type ListEntry, splitOffice } from '../model/list-entry.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditEntry, MakeAuditEntry } from '../store/audit-store.ts';
import type { ListStore, Store } from '../store/store.ts';
import { fromTo } from './audit-log.ts';
import { conflictsOf, type ListConflict, type ListDraft } from './list-conflicts.ts';
import { retryStale } from './retry-stale.ts';

export interface ListAdminOptions {
  readonly store: Pick<
    ListStore,
    'saveListEntry' | 'removeListEntry' | 'listEntries' | 'listsVersion' | 'ifListsAre'
  >;
  readonly makeId: MakeId;
}

export interface NewListEntry extends Pick<ListEntry, 'accountId' | 'action' | 'reason' | 'author'> {
  /** Reads the value of the entry, as it is stored. @param saved the account's entries with this action */
  readonly read: (saved: readonly ListEntry[]) => ReadEntry;
  /** Makes the entry of the audit log for the entry as it will be, and the one that it replaces. Default: the one that is passed. */
  readonly auditOf?: (entry: ListEntry, replaced: ListEntry | null) => MakeAuditEntry;
}

/** Value and expiry of a new entry, with the hashes that its contradictions are found by. */
export interface ReadEntry
  extends Pick<ListEntry, 'kind' | 'value' | 'shown' | 'expiresAt'>,
    Pick<ListDraft, 'hashes' | 'mailboxHashes'> {}

export interface SavedListEntry extends ListEntry {
  /** The entry whose reason, author and expiry it took over; `null`: there was none. */
  readonly replaced: ListEntry | null;
  /** Entries of the account that do the opposite. */
  readonly conflicts: readonly ListConflict[];
}

/**
 * Decides whether the lists are as the caller has read them: nothing is saved if they change after it has looked.
 * @param saved all entries of the account, as they are now
 * @throws to refuse
 */
export type CheckLists = (saved: readonly ListEntry[]) => void | Promise<void>;
/** Check as `CheckLists`, with the entry that is to be saved. */
export type CheckNewEntry = (entry: ReadEntry, saved: readonly ListEntry[]) => void | Promise<void>;

export interface ListAdmin {
  /**
   * Takes the place of an entry with the same action and value, whose id it keeps.
   * @param now milliseconds since the epoch
   * @throws what `read` and `check` throw
   */
  save(
    entry: NewListEntry,
    now: number,
    audit: MakeAuditEntry,
    check?: CheckNewEntry,
  ): Promise<SavedListEntry>;
  find(accountId: string, id: string | undefined): Promise<ListEntry | undefined>;
  /** @throws what `check` throws */
  remove(entry: ListEntry, audit: MakeAuditEntry, check?: CheckLists): Promise<void>;
  /** Puts an earlier entry in the place of the one that replaced it. @throws what `check` throws */
  restore(entry: ListEntry, audit: MakeAuditEntry, check: CheckLists): Promise<void>;
}

const EXACT = 'only this spelling';
export const LIST_NAMES: Readonly<Record<ListAction, string>> = {
  allow: 'Allow list',
  deny: 'Block list',
  office: 'Shared offices',
};

export function createListAdmin({ store: lists, makeId }: ListAdminOptions): ListAdmin {
  type Conditional = ReturnType<ListStore['ifListsAre']>;
  /** Decides and changes; if it was checked, only while the lists are as they were then. */
  const change = <T>(isChecked: boolean, decide: (store: Conditional) => Promise<T>): Promise<T> =>
    isChecked ? retryStale(async () => decide(lists.ifListsAre(await lists.listsVersion()))) : decide(lists);

  return {
    save({ read, auditOf, ...settings }, now, audit, check) {
      const { accountId, action } = settings;
      return change(check !== undefined || auditOf !== undefined, async (store) => {
        const all = await store.listEntries(accountId);
        const same = all.filter((entry) => entry.action === action);
        const sent = read(same);
        await check?.(sent, all);
        const { hashes = [], mailboxHashes = [], ...value } = sent;
        const entry: ListEntry = {
          ...settings,
          ...value,
          id: makeId('lst', now),
          createdAt: now,
          hits: 0,
          lastHitAt: null,
        };
        const replaced = same.find(({ kind, value }) => kind === entry.kind && value === entry.value) ?? null;
        const kept = { ...entry, id: replaced?.id ?? entry.id };
        const make = auditOf?.(kept, replaced) ?? audit;
        const stored = await store.saveListEntry(entry, auditOfSaving(entry, make, replaced));
        return {
          ...stored,
          replaced,
          conflicts: conflictsOf({ ...entry, hashes, mailboxHashes }, all, now),
        };
      });
    },
    find: async (accountId, id) => (await lists.listEntries(accountId)).find((entry) => entry.id === id),
    async remove(entry, audit, check) {
      const audited = auditOfRemoval(entry, audit);
      await change(check !== undefined, async (store) => {
        if (check !== undefined) await check(await store.listEntries(entry.accountId));
        await store.removeListEntry(entry.id, audited);
      });
    },
    async restore(entry, audit, check) {
      await change(true, async (store) => {
        await check(await store.listEntries(entry.accountId));
        await store.saveListEntry(entry, auditOfSaving(entry, audit));
      });
    },
  };
}

/** Entry of the audit log. @param replaced entry for the same value, whose reason and expiry are the old ones */
export function auditOfSaving(
  entry: ListEntry,
  audit: MakeAuditEntry,
  replaced: ListEntry | null = null,
): AuditEntry {
  const text =
    replaced === null ? (entry.reason ?? '') : fromTo(describeEntry(replaced), describeEntry(entry));
  const detail = detailOf(entry, text);
  return { ...audit(`list.${entry.action}`, entry.shown, detail), ...subjectOf(entry) };
}

export function auditOfRemoval(entry: ListEntry, audit: MakeAuditEntry): AuditEntry {
  const detail = detailOf(entry, LIST_NAMES[entry.action]);
  return { ...audit('list.remove', entry.shown, detail), ...subjectOf(entry) };
}

/** Text with what the value does not show: an address and its mailbox look alike. */
export function detailOf({ kind }: Pick<ListEntry, 'kind'>, text: string): string {
  if (kind !== 'address') return text;
  return text === '' ? EXACT : `${EXACT}: ${text}`;
}

/** `bot wave, until 2026-12-01T00:00:00Z`: what a new entry for the same value replaces. */
export function describeEntry({ reason, expiresAt }: Pick<ListEntry, 'reason' | 'expiresAt'>): string {
  const end = expiresAt === null ? 'for ever' : `until ${toTimestamp(expiresAt)}`;
  return (reason ?? '') === '' ? end : `${reason}, ${end}`;
}

/** Person whom the entry is about, where it is one person: an erasure finds the lines of the log by it. */
function subjectOf({ kind, value }: ListEntry): { readonly subject?: string } {
  if (kind === 'domain_network') {
    const { network } = splitOffice(value);
    return network.includes('/') || network.startsWith('AS') ? {} : { subject: network };
  }
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
