/** Knows the own lists of every account, and counts what each entry decided. */
import type { DecidingAction, ListChange, ListEntry, ListMatch, OfficeMatch } from '../model/list-entry.ts';
import { createListIndex, type IndexedKind, type ListNetwork, type ListSubject } from './list-index.ts';
import { createOfficeIndex } from './office-index.ts';

/** An entry that decides the verdict. */
export interface DecidingEntry extends ListEntry {
  readonly action: DecidingAction;
  readonly kind: IndexedKind;
}

/** Whether an entry decides the verdict; else it is a shared office. */
export function isDeciding(entry: ListEntry): entry is DecidingEntry {
  return entry.action !== 'office';
}

/** Source of entries; a part of the store. */
export interface ListSource {
  listsVersion(): Promise<number>;
  listChangesSince(version: number): AsyncIterable<ListChange>;
  /** Adds to what entries have decided, by id. */
  addListHits(hits: ReadonlyMap<string, { readonly hits: number; readonly at: number }>): Promise<void>;
}

export interface AccountLists {
  /** The match of the entry that decides about an attempt; `null` if no entry matches. */
  find(subject: ListSubject & { readonly account: string }, network: ListNetwork | null): ListMatch | null;
  /** The shared office that an attempt comes from; `null` if it comes from none. */
  findOffice(
    subject: ListSubject & { readonly account: string },
    network: ListNetwork | null,
  ): OfficeMatch | null;
  /** Counts that an entry decided about an assessment which was stored. `at`: milliseconds since the epoch. */
  noteHit(id: string, at: number): void;
  /** Reads what changed. @throws when the source cannot be read */
  refresh(): Promise<void>;
  /** Starts to store the counts. */
  keepHits(onFault: (error: Error) => void): void;
  /** Stores the newest counts. */
  close(): Promise<void>;
}

const KEEP_HITS_MS = 5_000;

/** @param olderHashes of an address or a mailbox, under keys from before a rotation that are still in use */
export function createAccountLists(
  source: ListSource,
  olderHashes: (text: string) => readonly string[] = () => [],
): AccountLists {
  let version = 0;
  const entries = new Map<string, ListEntry>();
  const deciding = createAccountIndexes(() => createListIndex<DecidingEntry>(olderHashes));
  const offices = createAccountIndexes(() => createOfficeIndex<ListEntry>());
  const hits = createHitCounts(source);
  let refreshing: Promise<void> | undefined;
  let keeping: NodeJS.Timeout | undefined;

  function remove(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    if (isDeciding(entry)) deciding.remove(entry);
    else offices.remove(entry);
  }

  function save(entry: ListEntry): void {
    entries.set(entry.id, entry);
    if (isDeciding(entry)) deciding.put(entry);
    else offices.put(entry);
  }

  async function read(): Promise<void> {
    // Asked first: a change that is stored while the rows are read is then read again, never missed.
    const upTo = await source.listsVersion();
    if (upTo === version) return;
    for await (const change of source.listChangesSince(version)) {
      if ('removed' in change) remove(change.removed);
      else save(change.saved);
    }
    version = upTo;
  }

  /** One at a time: of two reads in parallel, the earlier one could bring back removed entries. */
  function refresh(): Promise<void> {
    refreshing ??= read().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    find(subject, network) {
      const entry = deciding.find(subject, network);
      return entry === undefined ? null : toMatch(entry);
    },
    findOffice(subject, network) {
      const entry = offices.find(subject, network);
      return entry === undefined ? null : toOffice(entry);
    },
    noteHit: hits.note,
    refresh,
    keepHits(onFault) {
      keeping = setInterval(() => hits.store().catch(onFault), KEEP_HITS_MS);
    },
    async close() {
      clearInterval(keeping);
      await refreshing?.catch(() => {});
      await hits.store();
    },
  };
}

interface AccountIndex<E> {
  put(entry: E): void;
  remove(entry: E): void;
  find(subject: ListSubject, network: ListNetwork | null): E | undefined;
  readonly size: number;
}

/** Keeps an index for each account that has entries. */
function createAccountIndexes<E extends ListEntry>(createIndex: () => AccountIndex<E>) {
  const indexes = new Map<string, AccountIndex<E>>();
  return {
    put(entry: E): void {
      const index = indexes.get(entry.accountId) ?? createIndex();
      index.put(entry);
      indexes.set(entry.accountId, index);
    },
    remove(entry: E): void {
      const index = indexes.get(entry.accountId);
      index?.remove(entry);
      if (index?.size === 0) indexes.delete(entry.accountId);
    },
    find(subject: ListSubject & { readonly account: string }, network: ListNetwork | null): E | undefined {
      return indexes.get(subject.account)?.find(subject, network);
    },
  };
}

/** Counts how often entries decided, until that is stored. */
function createHitCounts({ addListHits }: Pick<ListSource, 'addListHits'>) {
  let counts = new Map<string, { hits: number; at: number }>();
  return {
    note(id: string, at: number): void {
      const counted = counts.get(id);
      if (counted === undefined) counts.set(id, { hits: 1, at });
      else counts.set(id, { hits: counted.hits + 1, at: Math.max(counted.at, at) });
    },
    async store(): Promise<void> {
      if (counts.size === 0) return;
      const counted = counts;
      counts = new Map();
      await addListHits(counted);
    },
  };
}

function toMatch({ id, action, kind, shown, reason }: DecidingEntry): ListMatch {
  return { id, action, kind, value: shown, reason };
}

function toOffice({ id, kind, shown, reason }: ListEntry): OfficeMatch {
  return { id, kind, value: shown, reason };
}
