/** Makes tables what is given: all is laid beside them first, then what is gone goes, and what differs is written. */

import type { Column, StateRows } from '../migrate-ports.ts';
import type { TransferTable } from '../migrate-tables.ts';
import type { Query } from './database.ts';
import { type InsertRows, quoted } from './migrate-insert-rows.ts';

/** Within a transaction. Whoever is referred to comes first, so nothing refers to what is not there at any time. */
export async function replaceTables(
  run: Query,
  insert: InsertRows,
  tables: Iterable<StateRows>,
): Promise<void> {
  const laid: { readonly table: TransferTable; readonly columns: readonly Column[] }[] = [];
  for (const { table, columns, pages } of tables) {
    const beside = besideOf(table);
    await run(
      `CREATE TEMP TABLE ${beside} ON COMMIT DROP AS SELECT ${quoted(columns)} FROM ${table.name} WITH NO DATA`,
    );
    for (const page of pages) await insert(run, beside, columns, page);
    await run(`ANALYZE ${beside}`);
    laid.push({ table, columns });
  }
  for (const { table } of laid.toReversed()) await run(removeSql(table));
  for (const { table, columns } of laid) await run(writeSql(table, columns));
}

function besideOf({ name }: TransferTable): string {
  return `moved_${name}`;
}

function removeSql(table: TransferTable): string {
  const same = table.key.map((column) => `given.${column} = kept.${column}`).join(' AND ');
  return `DELETE FROM ${table.name} AS kept WHERE NOT EXISTS (SELECT FROM ${besideOf(table)} AS given WHERE ${same})`;
}

function writeSql(table: TransferTable, columns: readonly Column[]): string {
  const rest = columns.filter(({ name }) => !table.key.includes(name));
  const of = (side: string) => rest.map(({ name }) => `${side}."${name}"`).join(', ');
  const updates = rest.map(({ name }) => `"${name}" = excluded."${name}"`).join(', ');
  return `INSERT INTO ${table.name} AS kept (${quoted(columns)}) OVERRIDING SYSTEM VALUE
    SELECT ${quoted(columns)} FROM ${besideOf(table)}
    ON CONFLICT (${table.key.join(', ')}) DO UPDATE SET ${updates}
      WHERE ROW (${of('kept')}) IS DISTINCT FROM ROW (${of('excluded')})`;
}
