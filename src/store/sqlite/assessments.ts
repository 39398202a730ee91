/** Assessments, credits and feedback in SQLite: writes go through the writer thread, reads are direct. */
import { createAssessmentReads } from '../assessments.ts';
import { storeKey } from '../idempotency.ts';
import { monthOf } from '../month.ts';
import type { SqlDatabase, SqlStatement } from '../sql-database.ts';
import type { AssessmentStore, Feedback, NewAssessment, RecordResult } from '../store.ts';
import { encodeText } from '../text.ts';
import type { SqliteCommitter } from './committer.ts';
import type { RecordJob } from './jobs.ts';
import { auditStatements, toSqlite } from './sql-database.ts';
import { createReadById, writeFactsColumn } from './stored-assessments.ts';

const SAVE_FEEDBACK = `INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
  SELECT saved.*, account_id, a.at, seq FROM (SELECT ? AS id, ?, ?, ?, ?) AS saved
    LEFT JOIN assessments AS a ON a.request_id = id WHERE true
  ON CONFLICT (request_id) DO UPDATE SET
    outcome = excluded.outcome, note = excluded.note, key_id = excluded.key_id, at = excluded.at`;

export function createAssessmentStore(
  { query }: Pick<SqlDatabase, 'query'>,
  { submit }: Pick<SqliteCommitter, 'submit'>,
): AssessmentStore {
  return {
    ...createAssessmentReads({ query }, createReadById({ query })),
    record: (assessment) => submit(toJob(assessment)).then(toRecorded),
    async saveFeedback(feedback, ...audit) {
      await submit({ statements: [saveFeedback(feedback), ...auditStatements(audit)] });
    },
    async saveFeedbackOnce(feedback, { claim, answer }) {
      await submit({ statements: [saveFeedback(feedback), toSqlite(storeKey(claim, answer))] });
    },
  };
}

function saveFeedback({ requestId, outcome, note, keyId, at }: Feedback): SqlStatement {
  const values = [requestId, outcome, note === null ? null : encodeText(note), keyId, at];
  return { sql: SAVE_FEEDBACK, values };
}

function toRecorded({ done, used }: { done: boolean; used: number }): RecordResult {
  return { outcome: done ? 'recorded' : 'quota_exceeded', used };
}

/** In the order of `ASSESSMENT_COLUMNS`. */
function toJob(a: NewAssessment): RecordJob {
  return [
    a.requestId,
    a.accountId,
    a.keyId,
    a.mode,
    a.at,
    a.verdict,
    a.score,
    a.reasons.join(' '),
    a.emailDomain,
    a.addressHash,
    a.mailboxHash,
    a.emailMasked,
    a.email,
    a.ip,
    a.network,
    a.countryCode,
    a.asn,
    a.sessionId === null ? null : encodeText(a.sessionId),
    Number(a.shadow),
    '',
    writeFactsColumn(a),
    monthOf(a.at),
    a.mode === 'live' ? 1 : 0,
    a.cap,
    a.claim === null ? null : storeKey(a.claim, null).values,
  ];
}
