/** Knows all keys, or all hooks, by id and by account, and when each was last used. */
import { createLastUses, type LastUses, type StoreUses } from './last-uses.ts';

/** A key or a hook. */
interface Access {
  readonly id: string;
  readonly accountId: string;
  readonly lastUsedAt: number | null;
}

export interface AccessTable<Row extends Access> extends Pick<LastUses, 'note' | 'start' | 'close'> {
  put(row: Row): void;
  find(id: string): Row | undefined;
  /** Forgets all of an account. */
  removeAccount(accountId: string): void;
  /** Lists those of an account, revoked ones too, oldest first; with the last use that this process knows of. */
  listByAccount(accountId: string): readonly Row[];
  /** The row with the last uses that this process knows of, if they are later. */
  withUses(row: Row): Row;
}

export type WithUses<Row> = (row: Row, lastOf: LastUses['lastOf']) => Row;

/**
 * @param withUses the row with its last uses, of which `lastOf` gives those that this process noted; default: of its id
 */
export function createAccessTable<Row extends Access>(
  store: StoreUses,
  withUses: WithUses<Row> = (row, lastOf) => ({ ...row, lastUsedAt: lastOf(row.id) ?? row.lastUsedAt }),
): AccessTable<Row> {
  const rows = new Map<string, Row>();
  const idsOf = new Map<string, Set<string>>();
  const { lastOf, ...uses } = createLastUses(store);
  return {
    ...uses,
    put(row) {
      rows.set(row.id, row);
      idsOf.set(row.accountId, (idsOf.get(row.accountId) ?? new Set()).add(row.id));
    },
    find: (id) => rows.get(id),
    removeAccount(accountId) {
      for (const id of idsOf.get(accountId) ?? []) rows.delete(id);
      idsOf.delete(accountId);
    },
    listByAccount(accountId) {
      const ids = [...(idsOf.get(accountId) ?? [])].sort();
      return ids.map((id) => withUses(rows.get(id) as Row, lastOf));
    },
    withUses: (row) => withUses(row, lastOf),
  };
}
