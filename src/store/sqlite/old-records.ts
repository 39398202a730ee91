/** Reads assessments as older versions stored them, a row each in two tables, until they are moved into batches. */
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { STORED_COLUMNS, type StoredRow, toStored } from '../stored-row.ts';
import type { SqliteConnection } from './connection.ts';
import type { NumberedAssessment } from './record-source.ts';

export type OldRow = StoredRow & { readonly seq: number };

interface Finding {
  readonly code: string;
  readonly weight: number;
}

/** What follows says which. */
export const READ_OLD = `SELECT a.seq, ${STORED_COLUMNS}
  FROM assessments AS a JOIN assessment_documents AS d ON d.seq = a.seq`;
const PROCESSED = '"processed_ms":';
const EVIDENCE = '],"evidence":';
const READ_ATTEMPTS = `SELECT request_id AS id, account_id AS account, at, network, email_domain AS domain,
    address_hash AS addressHash, mailbox_hash AS mailbox
  FROM assessments WHERE request_id > ? AND at > ? AND mode = 'live' ORDER BY request_id LIMIT ?`;

export interface OldRecords {
  readAfter(seq: number, limit: number): NumberedAssessment[];
  read(seqs: readonly number[]): NumberedAssessment[];
  findById(requestId: string): NumberedAssessment | undefined;
  /** Live ones after an id that were assessed after `since`, in order of their ids. */
  attempts(afterId: string, since: number, limit: number): VelocityEvent[];
}

export function createOldRecords(connection: SqliteConnection): OldRecords {
  const any = connection.prepare('SELECT 1 FROM assessments LIMIT 1');
  const readAfter = connection.prepare(`${READ_OLD} WHERE a.seq > ? ORDER BY a.seq LIMIT ?`);
  const read = connection.prepare(`${READ_OLD} WHERE a.seq IN (SELECT value FROM json_each(?))`);
  const find = connection.prepare(`${READ_OLD} WHERE a.request_id = ?`);
  const readAttempts = connection.prepare(READ_ATTEMPTS);
  // Nothing is ever added to them.
  let isEmpty = false;

  function unlessEmpty<T>(read: () => T, none: T): T {
    isEmpty ||= any.get() === undefined;
    return isEmpty ? none : read();
  }

  return {
    readAfter: (seq, limit) => unlessEmpty(() => (readAfter.all(seq, limit) as OldRow[]).map(toRecord), []),
    read: (seqs) => unlessEmpty(() => (read.all(JSON.stringify(seqs)) as OldRow[]).map(toRecord), []),
    findById: (requestId) =>
      unlessEmpty(() => {
        const row = find.get(requestId) as OldRow | undefined;
        return row === undefined ? undefined : toRecord(row);
      }, undefined),
    attempts: (afterId, since, limit) =>
      unlessEmpty(() => readAttempts.all(afterId, since, limit) as VelocityEvent[], []),
  };
}

/** Milliseconds and weights have no columns. */
export function toRecord(row: OldRow): NumberedAssessment {
  const at = row.body.indexOf(PROCESSED);
  const processedMs = at < 0 ? 0 : Number.parseInt(row.body.slice(at + PROCESSED.length), 10) || 0;
  return { seq: row.seq, ...toStored(row, { processedMs, weights: weightsOf(row) }) };
}

/** In the order of the reasons: the weight of the findings of each code together, as independent evidence, 0 … 100. */
function weightsOf({ reasons, evidence }: OldRow): number[] {
  if (reasons === '') return [];
  const weights = new Map<string, number>();
  for (const { code, weight } of findingsOf(evidence)) {
    const before = weights.get(code) ?? 0;
    weights.set(code, 100 - (100 - before) * (1 - weight / 100));
  }
  return reasons.split(' ').map((code) => weights.get(code) ?? 0);
}

/** They come before the evidence itself, which is most of the text. */
function findingsOf(text: string): readonly Finding[] {
  const end = text.indexOf(EVIDENCE);
  try {
    const json = end < 0 ? text : `${text.slice(0, end)}]}`;
    return (JSON.parse(json) as { findings?: readonly Finding[] }).findings ?? [];
  } catch {
    // An assessment of another version may have another form: it counts without a weight.
    return [];
  }
}
