/** Assessments, credits and feedback in SQLite: writes go through the writer thread, reads are direct. */
import { createAssessmentReads } from '../assessments.ts';
import { storeKey } from '../idempotency.ts';
import type { LiveAttempts } from '../records/live-attempts.ts';
import type { RecordSource } from '../records/record-source.ts';
import type { SqlDatabase, SqlStatement } from '../sql-database.ts';
import type { AssessmentStore, Feedback } from '../store.ts';
import { encodeText } from '../text.ts';
import { toSqlite } from '../to-sqlite.ts';
import type { SqliteCommitter } from '../writer/committer.ts';
import { auditStatements } from './sql-database.ts';

const SAVE_FEEDBACK = `INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (request_id) DO UPDATE SET
    outcome = excluded.outcome, note = excluded.note, key_id = excluded.key_id, at = excluded.at`;

const NONE_YET = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM feedback WHERE request_id = ?)';
const REMOVE_FEEDBACK = 'DELETE FROM feedback WHERE request_id = ?';

export interface AssessmentStoreOptions {
  readonly database: Pick<SqlDatabase, 'query'>;
  readonly source: Pick<RecordSource, 'findById'>;
  readonly attempts: LiveAttempts;
  readonly committer: Pick<SqliteCommitter, 'submit' | 'assertOpen'>;
}

export function createAssessmentStore(options: AssessmentStoreOptions): AssessmentStore {
  const { source, committer } = options;

  /** Saves feedback with the columns that the history finds it by. */
  function saveFeedback({ requestId, outcome, note, keyId, at }: Feedback): SqlStatement {
    committer.assertOpen();
    const about = source.findById(requestId);
    const copies = [about?.accountId ?? null, about?.at ?? null, about?.seq ?? null];
    const text = note === null ? null : encodeText(note);
    return { sql: SAVE_FEEDBACK, values: [requestId, outcome, text, keyId, at, ...copies] };
  }

  return {
    ...createAssessmentReads(options.database, async (requestId) => {
      const found = source.findById(requestId);
      // Leaving the number out would copy member by member.
      return found && { ...found, seq: undefined };
    }),
    ...options.attempts,
    record: (assessment) => committer.submit(assessment),
    async saveFeedback(feedback, ...audit) {
      await committer.submit({ statements: [saveFeedback(feedback), ...auditStatements(audit)] });
    },
    async saveFirstFeedback(feedback, ...audit) {
      const { result } = await committer.submit({
        statements: [saveFeedback(feedback), ...auditStatements(audit)],
        resultOf: 0,
        condition: { sql: NONE_YET, values: [feedback.requestId] },
      });
      return result !== undefined;
    },
    async removeFeedback(requestId, ...audit) {
      const remove = { sql: REMOVE_FEEDBACK, values: [requestId] };
      await committer.submit({ statements: [remove, ...auditStatements(audit)] });
    },
    async saveFeedbackOnce(feedback, { claim, answer }) {
      await committer.submit({ statements: [saveFeedback(feedback), toSqlite(storeKey(claim, answer))] });
    },
  };
}
