/** Assessments, credits and feedback in PostgreSQL: writes go through the committer, documents are read in groups. */
import { Problem } from '../../contract/problem.ts';
import { type AssessmentDocument, createAssessmentReads, type DocumentColumn } from '../assessments.ts';
import type { AssessmentStore, Feedback } from '../store.ts';
import { createBatchLoader } from './batch-loader.ts';
import { createBinaryArrays } from './binary-arrays.ts';
import { COMMIT, writeBatch } from './commit-params.ts';
import type { PostgresCommitter } from './committer.ts';
import type { Database, Query } from './database.ts';
import { appendAudit } from './sql-database.ts';

/** Unless another node took the key over. */
const STORE_KEY = `UPDATE idempotency SET state = 'stored', answer = $2
  WHERE request_id = $1 AND state = 'reserved' RETURNING request_id`;

export function createAssessmentStore(
  { query, transaction }: Database,
  committer: PostgresCommitter,
): AssessmentStore {
  const loaders = {
    body: createDocumentLoader(query, 'body'),
    evidence: createDocumentLoader(query, 'evidence'),
  };
  return {
    ...createAssessmentReads({ query }, (column, requestId) => loaders[column](requestId)),
    record: committer.record,
    // Reports by people are rare: they need not share a commit, but must be in one transaction with their audit entry.
    saveFeedback: (feedback, ...audit) =>
      audit.length === 0
        ? committer.saveFeedback(feedback)
        : transaction(async (run) => {
            await commitFeedback(run, feedback);
            await appendAudit(run, audit);
          }),
    saveFeedbackOnce: (feedback, { claim, answer }) =>
      transaction(async (run) => {
        const held = await run(STORE_KEY, [claim.requestId, answer]);
        if (held.length === 0) throw new Problem('unavailable');
        await commitFeedback(run, feedback);
      }),
  };
}

async function commitFeedback(run: Query, feedback: Feedback): Promise<void> {
  const batch = { records: [], feedback: [feedback] };
  await run(COMMIT, writeBatch(batch, createBinaryArrays(), new Map()));
}

function createDocumentLoader(query: Query, column: DocumentColumn) {
  const statement = {
    name: `gatehouse_document_${column}`,
    // A look-up for each id: so it reads only the partition of its month.
    text: `SELECT found.* FROM unnest($1::text[]) AS wanted (id), LATERAL (
        SELECT a.request_id, a.account_id, a.mode, d.${column} AS text
        FROM assessments AS a JOIN assessment_documents AS d ON d.request_id = a.request_id
        WHERE a.request_id = wanted.id OFFSET 0
      ) AS found`,
  };
  return createBatchLoader<AssessmentDocument>(async (requestIds) => {
    const rows = await query<AssessmentDocument & { request_id: string }>(statement, [requestIds]);
    return new Map(rows.map((row) => [row.request_id, row]));
  });
}
