/** Compares what was moved with what is really there: both sides are read whole, and counted and hashed. */
import { setImmediate } from 'node:timers/promises';
import type { Column, LogColumns, LogPlace, TransferSource, TransferTarget } from './migrate-ports.ts';
import { createRowDigest, type TableDigest } from './migrate-row-digest.ts';
import { LOG_TABLES, type LogTable } from './migrate-tables.ts';

export interface Expected extends TableDigest {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** Rows read of the log at a time; other work goes on in between. */
const PAGE_ROWS = 1_000;

/** What the log holds up to a place. Assessments never change, so no moment has to be held for it. */
export async function digestLog(
  source: TransferSource,
  columns: LogColumns,
  upTo: LogPlace,
  tell: (done: number) => void,
): Promise<Expected[]> {
  const digests = Object.fromEntries(LOG_TABLES.map((table) => [table, createRowDigest()])) as Record<
    LogTable,
    ReturnType<typeof createRowDigest>
  >;
  let seq = 0;
  while (seq < upTo.seq) {
    const page = source.logAfter(columns, seq, upTo.seq, PAGE_ROWS);
    if (page === undefined) break;
    for (const table of LOG_TABLES) digests[table].add(page.rows[table]);
    seq = page.last.seq;
    tell(seq);
    await setImmediate();
  }
  return LOG_TABLES.map((table) => ({ table, columns: columns[table], ...digests[table].end() }));
}

/** What the target holds of a table. */
export async function digestTarget(
  target: TransferTarget,
  table: string,
  columns: readonly Column[],
  tell: (done: number) => void,
): Promise<TableDigest> {
  const digest = createRowDigest();
  let done = 0;
  for await (const page of target.readBack(table, columns)) {
    digest.add(page);
    done += page.length;
    tell(done);
  }
  return digest.end();
}
