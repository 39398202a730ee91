/** Marks an entry of the audit log as the undo of another: behind the name of who took it back, so that both are written as one. */
import type { AuditEntry, AuditStore } from '../store/audit-store.ts';

const MARK = / \(undo of #(\d{1,15})\)$/;
/** Entries that are read for one page of the log at most: newer ones, which may have taken its entries back. */
const MAX_NEWER = 2_000;
const CHUNK_ENTRIES = 200;

/** Name of a person who takes the entry at a position back. */
export function undoerOf(by: string, position: number): string {
  return `${by} (undo of #${position})`;
}

/** Position of the entry that this one took back. Tokens and the command line have chosen names, and undo nothing here. */
function undoneBy({ by }: AuditEntry): number | undefined {
  const position = /^(?:token|command line) /.test(by) ? undefined : MARK.exec(by)?.[1];
  return position === undefined ? undefined : Number(position);
}

/** Entries of an account from `oldest` on that were taken back: position → who did it last. */
export async function findUndone(
  store: Pick<AuditStore, 'auditEntries'>,
  accountId: string,
  oldest: number,
): Promise<ReadonlyMap<number, string>> {
  const undone = new Map<number, string>();
  for await (const [, entry] of newerEntries(store, accountId, oldest)) {
    const position = undoneBy(entry);
    if (position !== undefined && !undone.has(position)) undone.set(position, entry.by.replace(MARK, ''));
  }
  return undone;
}

/** Entries after a position, newest first, with their positions. */
export async function* newerEntries(
  store: Pick<AuditStore, 'auditEntries'>,
  accountId: string,
  position: number,
): AsyncIterable<readonly [position: number, entry: AuditEntry]> {
  let after: number | null = null;
  for (let count = 0; count < MAX_NEWER; count += CHUNK_ENTRIES) {
    const page = await store.auditEntries(accountId, after, CHUNK_ENTRIES);
    for (const [index, entry] of page.entries.entries()) {
      const at = page.positions[index] as number;
      if (at <= position) return;
      yield [at, entry];
    }
    if (page.next === null) return;
    after = page.next;
  }
}
