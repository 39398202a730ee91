/** Reads assessments with their documents in order of commit, and derives what this database does not keep beside them. */
import type { Cell, Column, LogColumns, MigrationPage } from '../migrate-ports.ts';
import type { SqliteConnection } from './connection.ts';
import { weightsByCode } from './history-rollup.ts';

interface Stored extends Record<string, Cell> {
  readonly seq: number;
  readonly request_id: string;
  readonly reasons: string;
  readonly body: string;
  readonly evidence: string;
}

const READ = `SELECT a.*, body, evidence FROM assessments AS a JOIN assessment_documents AS d ON d.seq = a.seq
  WHERE a.seq > ? AND a.seq <= ? ORDER BY a.seq LIMIT ?`;

const PROCESSED = '"processed_ms":';
/** What follows is not needed for the findings, and is most of the text. */
const AFTER_FINDINGS = '],"evidence":';

const DERIVED: Readonly<Record<string, (row: Stored) => Cell>> = {
  processed_ms({ body }) {
    const at = body.indexOf(PROCESSED);
    return at < 0
      ? 0
      : Number.parseInt(body.slice(at + PROCESSED.length, at + PROCESSED.length + 9), 10) || 0;
  },
  weights({ reasons, evidence }) {
    if (reasons === '') return [];
    const end = evidence.indexOf(AFTER_FINDINGS);
    const weights = weightsByCode(end < 0 ? evidence : `${evidence.slice(0, end)}]}`);
    return reasons.split(' ').map((code) => Math.fround(weights.get(code) ?? 0));
  },
};

export function createReadLog(connection: SqliteConnection) {
  const read = connection.prepare(READ);
  return {
    /** Columns of a table that it does not have here. */
    derived: (table: string) =>
      table === 'assessments' ? Object.keys(DERIVED) : table === 'assessment_documents' ? ['request_id'] : [],
    after({ assessments, assessment_documents }: LogColumns, after: number, upTo: number, limit: number) {
      const rows = read.all(after, upTo, limit) as Stored[];
      const last = rows.at(-1);
      if (last === undefined) return undefined;
      return {
        rows: {
          assessments: pick(rows, assessments),
          assessment_documents: pick(rows, assessment_documents),
        },
        last: { seq: last.seq, requestId: last.request_id },
      } satisfies MigrationPage;
    },
  };
}

function pick(rows: readonly Stored[], columns: readonly Column[]): Cell[][] {
  return rows.map((row) => columns.map(({ name }) => DERIVED[name]?.(row) ?? row[name] ?? null));
}
