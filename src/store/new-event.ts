/** The statement that writes down what happened, for the transaction in which it happens: it is stored where a destination wants it. */
import type { NewEvent } from '../model/event.ts';
import type { SqlStatement, SqlValue } from './sql-database.ts';

const INSERT = `INSERT INTO new_events (id, account_id, type, object, at, data, verdict)
  SELECT $1, $2, $3, $4, CAST($5 AS bigint), $6, $7`;

const INSERT_FOR_ALL = `INSERT INTO new_events (id, account_id, type, object, at, data, verdict)
  SELECT CAST(NULL AS text), id, $1, $2, CAST($3 AS bigint), $4, CAST(NULL AS text) FROM accounts`;

/**
 * An event of the installation, for each account. Goes before the last statement of a `change`.
 * @param condition as below; its values begin with `$5`
 */
export function eventForAllStatement(
  { type, object, at, data }: Pick<NewEvent, 'type' | 'object' | 'at' | 'data'>,
  condition: { readonly sql: string; readonly values: readonly SqlValue[] },
): SqlStatement {
  const values = [type, object, at, JSON.stringify(data), ...condition.values];
  return { sql: `${INSERT_FOR_ALL} WHERE ${condition.sql}`, values };
}

/**
 * Goes before the last statement of a `change`. Events of rows that the schema has triggers for need none.
 * @param condition SQL that decides within the transaction whether it happened; its values begin with `$8`
 */
export function eventStatement(
  { id = undefined, accountId, type, object, at, data, verdict }: NewEvent,
  condition?: { readonly sql: string; readonly values: readonly SqlValue[] },
): SqlStatement {
  const values = [id ?? null, accountId, type, object, at, JSON.stringify(data), verdict ?? null];
  if (condition === undefined) return { sql: INSERT, values };
  return { sql: `${INSERT} WHERE ${condition.sql}`, values: [...values, ...condition.values] };
}
