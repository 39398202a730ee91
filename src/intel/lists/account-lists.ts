/** Knows the own lists of every account, and counts what each entry decided. */
import type { ListChange, ListEntry, ListMatch } from '../../model/list-entry.ts';
import { createListIndex, type ListIndex, type ListNetwork, type ListSubject } from './list-index.ts';

/** Where entries are kept; as of the store. */
export interface ListSource {
  listsVersion(): Promise<number>;
  listChangesSince(version: number): AsyncIterable<ListChange>;
  /** Adds to what entries have decided, by id. */
  addListHits(hits: ReadonlyMap<string, { readonly hits: number; readonly at: number }>): Promise<void>;
}

export interface AccountLists {
  /** What the entry that decides about an attempt says; `null` where none speaks. */
  find(subject: ListSubject & { readonly account: string }, network: ListNetwork | null): ListMatch | null;
  /** Counts that an entry decided about an assessment which was stored. `at`: milliseconds since the epoch. */
  noteHit(id: string, at: number): void;
  /** Reads what changed. @throws when the source cannot be read */
  refresh(): Promise<void>;
  /** Starts to keep what was counted. */
  keepHits(onFault: (error: Error) => void): void;
  /** Keeps what was counted last. */
  close(): Promise<void>;
}

const KEEP_HITS_MS = 5_000;

export function createAccountLists(source: ListSource): AccountLists {
  let version = 0;
  const entries = new Map<string, ListEntry>();
  const indexes = new Map<string, ListIndex<ListEntry>>();
  let hits = new Map<string, { hits: number; at: number }>();
  let refreshing: Promise<void> | undefined;
  let keeping: NodeJS.Timeout | undefined;

  function remove(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    const index = indexes.get(entry.accountId);
    index?.remove(entry);
    if (index?.size === 0) indexes.delete(entry.accountId);
  }

  function save(entry: ListEntry): void {
    entries.set(entry.id, entry);
    const index = indexes.get(entry.accountId) ?? createListIndex<ListEntry>();
    index.put(entry);
    indexes.set(entry.accountId, index);
  }

  async function read(): Promise<void> {
    // Asked first: a change that lands while the rows are read is then met again, never missed.
    const upTo = await source.listsVersion();
    if (upTo === version) return;
    for await (const change of source.listChangesSince(version)) {
      if ('removed' in change) remove(change.removed);
      else save(change.saved);
    }
    version = upTo;
  }

  /** One at a time: of two that read side by side, the one that began first could bring back what is gone. */
  function refresh(): Promise<void> {
    refreshing ??= read().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function storeHits(): Promise<void> {
    if (hits.size === 0) return;
    const counted = hits;
    hits = new Map();
    await source.addListHits(counted);
  }

  return {
    find(subject, network) {
      const entry = indexes.get(subject.account)?.find(subject, network);
      return entry === undefined ? null : toMatch(entry);
    },
    noteHit(id, at) {
      const counted = hits.get(id);
      if (counted === undefined) hits.set(id, { hits: 1, at });
      else hits.set(id, { hits: counted.hits + 1, at: Math.max(counted.at, at) });
    },
    refresh,
    keepHits(onFault) {
      keeping = setInterval(() => storeHits().catch(onFault), KEEP_HITS_MS);
    },
    async close() {
      clearInterval(keeping);
      await refreshing?.catch(() => {});
      await storeHits();
    },
  };
}

function toMatch({ id, action, kind, shown, reason }: ListEntry): ListMatch {
  return { id, action, kind, value: shown, reason };
}
