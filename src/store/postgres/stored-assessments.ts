/** Reads what assessments are made from again in PostgreSQL, by their ids. */
import type { StoredAssessment } from '../store.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from '../stored-row.ts';
import type { Database } from './database.ts';

interface Row extends StoredRow {
  readonly processed_ms: number;
  readonly weights: readonly number[];
}

const READ = {
  name: 'gatehouse_stored',
  // A look-up for each id: so it reads only the partition of its month.
  text: `SELECT found.* FROM unnest($1::text[]) AS wanted (id), LATERAL (
      SELECT ${STORED_COLUMNS}, a.processed_ms, a.weights
      FROM assessments AS a JOIN assessment_documents AS d ON d.request_id = a.request_id
      WHERE a.request_id = wanted.id OFFSET 0
    ) AS found`,
};

/** Those that are still stored, in no order. */
export function createReadStored({ query }: Pick<Database, 'query'>) {
  return async (requestIds: readonly string[]): Promise<StoredAssessment[]> => {
    const rows = await query<Row>(READ, [requestIds]);
    return rows.map((row) => toStored(row, { processedMs: row.processed_ms, weights: row.weights }));
  };
}
