/** Where the history reads stored assessments from: in order of commit, by number, or by id. */
import type { AssessmentHead, StoredAssessment } from '../store.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from '../stored-row.ts';
import type { SqliteConnection } from './connection.ts';
import { ROLLUP_TEXTS, type RollupSource } from './history-rollup.ts';
import { NEWEST_UNDONE } from './jobs.ts';
import { derivedOf, factsOf } from './stored-assessments.ts';

/** Of a record: unique, in order of commit, nearly without gaps; from 1 on. */
interface Numbered {
  readonly seq: number;
}
export type NumberedAssessment = StoredAssessment & Numbered;
export type NumberedHead = AssessmentHead & Numbered;

export interface RecordSource {
  /** No number up to this is given to another record any more; 0: there are none. */
  newestSeq(): number;
  /** Records with a higher number, oldest first, about `limit`. */
  readAfter(seq: number, limit: number): readonly NumberedAssessment[];
  /** Those that are still stored, in any order. */
  read(seqs: readonly number[]): readonly NumberedAssessment[];
  findById(requestId: string): NumberedAssessment | undefined;
}

type Row = StoredRow & Numbered & Pick<RollupSource, 'findings' | 'processed'>;

const COLUMNS = `a.seq, ${STORED_COLUMNS}, ${ROLLUP_TEXTS}`;
const DOCUMENTS = 'CROSS JOIN assessment_documents AS d ON d.seq = a.seq';
const READ = `SELECT ${COLUMNS} FROM assessments AS a ${DOCUMENTS}`;
const READ_SEVERAL = `SELECT ${COLUMNS} FROM json_each(?) AS place
  CROSS JOIN assessments AS a ON a.seq = place.value ${DOCUMENTS}`;
const NEWEST = `SELECT max((SELECT coalesce(max(seq), 0) FROM assessments),
  coalesce((SELECT value FROM installation WHERE name = '${NEWEST_UNDONE}'), 0)) AS seq`;

export function createRecordSource(connection: SqliteConnection): RecordSource {
  const readNewest = connection.prepare(NEWEST);
  const readAfter = connection.prepare(`${READ} WHERE a.seq > ? ORDER BY a.seq LIMIT ?`);
  const read = connection.prepare(READ_SEVERAL);
  const find = connection.prepare(`${READ} WHERE a.request_id = ?`);
  return {
    newestSeq: () => (readNewest.get() as Numbered).seq,
    readAfter: (seq, limit) => (readAfter.all(seq, limit) as Row[]).map(toAssessment),
    read: (seqs) => (read.all(JSON.stringify(seqs)) as Row[]).map(toAssessment),
    findById(requestId) {
      const row = find.get(requestId) as Row | undefined;
      return row === undefined ? undefined : toAssessment(row);
    },
  };
}

function toAssessment(row: Row): NumberedAssessment {
  const stored = toStored({ ...row, evidence: factsOf(row) }, derivedOf(row));
  return Object.assign(stored, { seq: row.seq });
}
