/** Assessments, credits and feedback in PostgreSQL: writes go through the committer, point reads are direct. */
import type { Label } from '../../contract/dashboard-labels.ts';
import type { KeyMode } from '../../model/key-mode.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { firstIdAt, monthOfId } from '../request-time.ts';
import type { AssessmentStore, Reader } from '../store.ts';
import { decodeText } from '../text.ts';
import { createBatchLoader } from './batch-loader.ts';
import { createBinaryArrays } from './binary-arrays.ts';
import { COMMIT, writeBatch } from './commit-params.ts';
import type { PostgresCommitter } from './committer.ts';
import type { Database } from './database.ts';
import { appendAudit } from './sql-database.ts';

const ATTEMPTS_A_PAGE = 2_000;
/** An id is made at most this long before its assessment's `at` is read. */
const ID_LEAD_MS = 1_000;

/** Only what is asked for: evidence is as long as the body, and seldom wanted. */
const readDocument = (column: 'body' | 'evidence') => ({
  name: `gatehouse_document_${column}`,
  // One id after the other: so each is looked for in the partition of its month only.
  text: `SELECT found.* FROM unnest($1::text[]) AS given (id), LATERAL (
      SELECT a.request_id, a.account_id, a.mode, d.${column} AS text
      FROM assessments AS a JOIN assessment_documents AS d ON d.request_id = a.request_id
      WHERE a.request_id = given.id OFFSET 0
    ) AS found`,
});
const READ_FEEDBACK = {
  name: 'gatehouse_feedback',
  text: 'SELECT outcome, note, key_id, at FROM feedback WHERE request_id = $1',
};
const READ_CREDITS = {
  name: 'gatehouse_credits',
  text: 'SELECT used FROM credits WHERE account_id = $1 AND month = $2',
};
const ATTEMPTS = `SELECT request_id AS id, account_id AS account, at, network, email_domain AS domain,
    address_hash AS "addressHash", mailbox_hash AS mailbox
  FROM assessments WHERE request_id > $1 AND at > $2 AND mode = 'live'`;
const IN_ORDER = `ORDER BY request_id LIMIT ${ATTEMPTS_A_PAGE}`;

interface Document {
  readonly request_id: string;
  readonly account_id: string;
  readonly mode: KeyMode;
  readonly text: string;
}

export function createAssessmentStore(
  { query, transaction }: Database,
  committer: PostgresCommitter,
): AssessmentStore {
  const documents = (column: 'body' | 'evidence') => {
    const statement = readDocument(column);
    return createBatchLoader<Document>(async (requestIds) => {
      const rows = await query<Document>(statement, [requestIds]);
      return new Map(rows.map((row) => [row.request_id, row]));
    });
  };
  const readBody = documents('body');
  const readEvidence = documents('evidence');

  async function find(
    document: typeof readBody,
    requestId: string,
    reader: Reader,
  ): Promise<string | undefined> {
    if (monthOfId(requestId) === undefined) return undefined;
    const row = await document(requestId);
    if (row === undefined || row.account_id !== reader.accountId) return undefined;
    return reader.mode === 'test' && row.mode !== 'test' ? undefined : row.text;
  }

  return {
    record: committer.record,
    // What people report is rare: it need not share a commit, but must be one with its audit entry.
    saveFeedback: (feedback, ...audit) =>
      audit.length === 0
        ? committer.saveFeedback(feedback)
        : transaction(async (run) => {
            const batch = { records: [], feedback: [feedback] };
            await run(COMMIT, writeBatch(batch, createBinaryArrays(), new Map()));
            await appendAudit(run, audit);
          }),
    findBody: (requestId, reader) => find(readBody, requestId, reader),
    findEvidence: (requestId, reader) => find(readEvidence, requestId, reader),
    async findFeedback(requestId) {
      if (monthOfId(requestId) === undefined) return undefined;
      const [row] = await query<{ outcome: Label; note: string | null; key_id: string; at: number }>(
        READ_FEEDBACK,
        [requestId],
      );
      if (row === undefined) return undefined;
      const note = row.note === null ? null : decodeText(row.note);
      return { requestId, outcome: row.outcome, note, keyId: row.key_id, at: row.at };
    },
    async creditsUsed(accountId, month) {
      const [row] = await query<{ used: number }>(READ_CREDITS, [accountId, month]);
      return row?.used ?? 0;
    },
    async *liveAttempts(since, accountId) {
      const own = accountId === undefined ? [] : [accountId];
      const sql = `${ATTEMPTS} ${accountId === undefined ? '' : 'AND account_id = $3'} ${IN_ORDER}`;
      let after = firstIdAt(since - ID_LEAD_MS);
      for (;;) {
        const page = await query<VelocityEvent>(sql, [after, since, ...own]);
        yield* page;
        if (page.length < ATTEMPTS_A_PAGE) return;
        after = (page.at(-1) as VelocityEvent).id;
      }
    },
  };
}
