/** Reads what assessments are made from again in PostgreSQL, by their ids. */
import type { StoredAssessment } from '../stored-assessment.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from '../stored-row.ts';
import type { Database } from './database.ts';

interface Row extends StoredRow {
  readonly processed_ms: number;
  readonly weights: readonly number[];
  /** `null` where an earlier version stored texts, in a row of their own. */
  readonly facts: string | null;
}

const READ = {
  name: 'gatehouse_stored',
  // A look-up for each id: so it reads only the partition of its month.
  text: `SELECT found.* FROM unnest($1::text[]) AS wanted (id), LATERAL (
      SELECT ${STORED_COLUMNS}, a.processed_ms, a.weights, a.facts
      FROM assessments AS a LEFT JOIN LATERAL (
        SELECT body, evidence FROM assessment_documents WHERE a.facts IS NULL AND request_id = a.request_id OFFSET 0
      ) AS d ON true
      WHERE a.request_id = wanted.id AND (a.facts IS NOT NULL OR d.body IS NOT NULL) OFFSET 0
    ) AS found`,
};

/** Those that are still stored, in no order. */
export function createReadStored({ query }: Pick<Database, 'query'>) {
  return async (requestIds: readonly string[]): Promise<StoredAssessment[]> => {
    const rows = await query<Row>(READ, [requestIds]);
    return rows.map((row) => {
      const derived = { processedMs: row.processed_ms, weights: row.weights };
      return toStored(row, derived, row.facts === null ? undefined : { facts: row.facts });
    });
  };
}
