/** Assessments, credits and feedback in PostgreSQL: writes go through the committer, documents are read in groups. */
import { Problem } from '../../contract/problem.ts';
import { createAssessmentReads } from '../assessments.ts';
import type { ChallengedAssessment, FindChallenged } from '../challenges.ts';
import type { AssessmentStore, Feedback } from '../store.ts';
import type { StoredAssessment } from '../stored-assessment.ts';
import { encodeText } from '../text.ts';
import { createBatchLoader } from './batch-loader.ts';
import { createBinaryArrays } from './binary-arrays.ts';
import { COMMIT, writeBatch } from './commit-params.ts';
import type { PostgresCommitter } from './committer.ts';
import type { Database, Query } from './database.ts';
import { appendAudit } from './sql-database.ts';
import { createReadStored } from './stored-assessments.ts';

/** Stores a key unless another node took it over. */
const STORE_KEY = `UPDATE idempotency SET state = 'stored', answer = $2
  WHERE request_id = $1 AND state = 'reserved' RETURNING request_id`;

/** Feedback as the commit saves it, but only where there is none. */
const SAVE_FIRST = `INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
  SELECT $1, $2, $3, $4, CAST($5 AS bigint), account_id, at, seq FROM assessments WHERE request_id = $1
  ON CONFLICT (request_id) DO NOTHING RETURNING request_id`;
const REMOVE_FEEDBACK = 'DELETE FROM feedback WHERE request_id = $1';

export function createAssessmentStore(
  { query, transaction }: Database,
  committer: PostgresCommitter,
): AssessmentStore {
  return {
    ...createAssessmentReads({ query }, createStoredLoader(query)),
    record: committer.record,
    // Reports by people are rare: they need not share a commit, but must be in one transaction with their audit entry.
    async saveFeedback(feedback, ...audit) {
      if (audit.length === 0) await committer.saveFeedback(feedback);
      else
        await transaction(async (run) => {
          await commitFeedback(run, feedback);
          await appendAudit(run, audit);
        });
    },
    saveFirstFeedback: ({ requestId, outcome, note, keyId, at }, ...audit) =>
      transaction(async (run) => {
        const text = note === null ? null : encodeText(note);
        const saved = await run(SAVE_FIRST, [requestId, outcome, text, keyId, at]);
        if (saved.length > 0) await appendAudit(run, audit);
        return saved.length > 0;
      }),
    removeFeedback: (requestId, ...audit) =>
      transaction(async (run) => {
        await run(REMOVE_FEEDBACK, [requestId]);
        await appendAudit(run, audit);
      }),
    saveFeedbackOnce: (feedback, { claim, answer }) =>
      transaction(async (run) => {
        const rows = await run(STORE_KEY, [claim.requestId, answer]);
        if (rows.length === 0) throw new Problem('unavailable');
        await commitFeedback(run, feedback);
      }),
  };
}

/** Reads what a challenge copies of its assessment. */
export function createFindChallenged(query: Query): FindChallenged {
  const text = `SELECT account_id AS "accountId", mode, at, seq, mailbox_hash AS "mailboxHash", network
    FROM assessments WHERE request_id = $1`;
  return async (requestId) =>
    (await query<ChallengedAssessment>({ name: 'gatehouse_challenged', text }, [requestId]))[0];
}

async function commitFeedback(run: Query, feedback: Feedback): Promise<void> {
  const batch = { records: [], feedback: [feedback] };
  await run(COMMIT, writeBatch(batch, createBinaryArrays(), new Map()));
}

function createStoredLoader(query: Query) {
  const read = createReadStored({ query });
  return createBatchLoader<StoredAssessment>(
    async (requestIds) => new Map((await read(requestIds)).map((stored) => [stored.requestId, stored])),
  );
}
