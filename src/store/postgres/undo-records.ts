/** Removes records that nobody was told of, with their credits. */
import type { Database } from './database.ts';

export const undoRecords =
  ({ query }: Pick<Database, 'query'>) =>
  (requestIds: readonly string[]) =>
    query('SELECT gatehouse_take_back_1($1::text[])', [requestIds]);
