/** Decides how SQLite keeps what an assessment is made from again, and reads it: milliseconds and weights come before the facts. */
import type { ReadStored } from '../history-sql.ts';
import type { SqlDatabase } from '../sql-database.ts';
import type { AssessmentHead, NewAssessment, StoredAssessment } from '../store.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from '../stored-row.ts';
import { ROLLUP_TEXTS, type RollupSource, weightsOf } from './history-rollup.ts';

type Row = StoredRow & Pick<RollupSource, 'findings' | 'processed'>;

const READ = `SELECT ${STORED_COLUMNS}, ${ROLLUP_TEXTS} FROM assessments AS a JOIN assessment_documents AS d ON d.seq = a.seq`;
const READ_BY_ID = `${READ} WHERE a.request_id = $1`;
const READ_BY_SEQ = `${READ} WHERE a.seq IN (SELECT value FROM json_each($1))`;

/** The column `evidence`: a line with milliseconds and weights, then the facts. */
export function writeFactsColumn({
  processedMs,
  weights,
  facts,
}: Pick<NewAssessment, 'processedMs' | 'weights' | 'facts'>): string {
  return `${[processedMs, ...weights].join(' ')}\n${facts}`;
}

export function createReadById({ query }: Pick<SqlDatabase, 'query'>) {
  return async (requestId: string): Promise<StoredAssessment | undefined> => {
    const [row] = await query<Row>(READ_BY_ID, [requestId]);
    return row === undefined ? undefined : toAssessment(row);
  };
}

export function createReadStored({ query }: Pick<SqlDatabase, 'query'>): ReadStored {
  return async (rows) => {
    const stored = await query<Row>(READ_BY_SEQ, [JSON.stringify(rows.map(({ seq }) => seq))]);
    return stored.map(toAssessment);
  };
}

function toAssessment(row: Row): StoredAssessment {
  return toStored({ ...row, evidence: factsOf(row) }, derivedOf(row));
}

/** The column `evidence` without the line before the facts; that of an older version as it is. */
export function factsOf({ body, evidence }: Pick<StoredRow, 'body' | 'evidence'>): string {
  return body === '' ? evidence.slice(evidence.indexOf('\n') + 1) : evidence;
}

/** What has no column of its own. */
export function derivedOf(
  row: Pick<RollupSource, 'reasons' | 'findings' | 'processed'>,
): Pick<AssessmentHead, 'processedMs' | 'weights'> {
  return { processedMs: Number.parseInt(row.processed, 10) || 0, weights: weightsOf(row) };
}
