/** Assessments, credits and feedback in SQLite: writes go through the writer thread, point reads are direct. */
import type { Label } from '../../contract/dashboard-labels.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import { monthOf } from '../month.ts';
import { firstIdAt } from '../request-time.ts';
import type { AssessmentStore, NewAssessment, Reader, RecordResult } from '../store.ts';
import { decodeText, encodeText } from '../text.ts';
import type { SqliteCommitter } from './committer.ts';
import type { SqliteConnection } from './connection.ts';
import type { RecordJob } from './jobs.ts';
import { auditStatements } from './sql-database.ts';

const ATTEMPTS_A_PAGE = 2_000;
/** An id is made at most this long before its assessment's `at` is read. */
const ID_LEAD_MS = 1_000;

const SAVE_FEEDBACK = `INSERT INTO feedback (request_id, outcome, note, key_id, at, account_id, assessed_at, seq)
  SELECT given.*, account_id, a.at, seq FROM (SELECT ? AS id, ?, ?, ?, ?) AS given
    LEFT JOIN assessments AS a ON a.request_id = id WHERE true
  ON CONFLICT (request_id) DO UPDATE SET
    outcome = excluded.outcome, note = excluded.note, key_id = excluded.key_id, at = excluded.at`;

export function createAssessmentStore(reads: SqliteConnection, { submit }: SqliteCommitter): AssessmentStore {
  /** Only what is asked for: evidence is as long as the body, and seldom wanted. */
  const documents = (column: 'body' | 'evidence') =>
    reads.prepare(
      `SELECT account_id, mode, ${column} AS text FROM assessments JOIN assessment_documents USING (seq)
       WHERE request_id = ?`,
    );
  const readBody = documents('body');
  const readEvidence = documents('evidence');
  const readFeedback = reads.prepare('SELECT outcome, note, key_id, at FROM feedback WHERE request_id = ?');
  const readCredits = reads.prepare('SELECT used FROM credits WHERE account_id = ? AND month = ?');
  const readAttempts = reads.prepare(
    `SELECT request_id AS id, account_id AS account, at, network, email_domain AS domain,
       address_hash AS addressHash, mailbox_hash AS mailbox
     FROM assessments WHERE request_id > ? AND mode = 'live' AND at > ? AND account_id = coalesce(?, account_id)
     ORDER BY request_id LIMIT ${ATTEMPTS_A_PAGE}`,
  );

  function find(document: typeof readBody, requestId: string, reader: Reader): string | undefined {
    const row = document.get(encodeText(requestId)) as
      | { account_id: string; mode: string; text: string }
      | undefined;
    if (row === undefined || row.account_id !== reader.accountId) return undefined;
    return reader.mode === 'test' && row.mode !== 'test' ? undefined : row.text;
  }

  return {
    record: (assessment) => submit(toJob(assessment)).then(toRecorded),
    async findBody(requestId, reader) {
      return find(readBody, requestId, reader);
    },
    async findEvidence(requestId, reader) {
      return find(readEvidence, requestId, reader);
    },
    async saveFeedback({ requestId, outcome, note, keyId, at }, ...audit) {
      const values = [requestId, outcome, note === null ? null : encodeText(note), keyId, at];
      await submit({ statements: [{ sql: SAVE_FEEDBACK, values }, ...auditStatements(audit)] });
    },
    async findFeedback(requestId) {
      const row = readFeedback.get(requestId) as
        | { outcome: Label; note: string | null; key_id: string; at: number }
        | undefined;
      if (row === undefined) return undefined;
      const note = row.note === null ? null : decodeText(row.note);
      return { requestId, outcome: row.outcome, note, keyId: row.key_id, at: row.at };
    },
    async creditsUsed(accountId, month) {
      const row = readCredits.get(accountId, month) as { used: number } | undefined;
      return row?.used ?? 0;
    },
    async *liveAttempts(since, accountId) {
      let after = firstIdAt(since - ID_LEAD_MS);
      for (;;) {
        const page = readAttempts.all(after, since, accountId ?? null) as VelocityEvent[];
        yield* page;
        if (page.length < ATTEMPTS_A_PAGE) return;
        after = (page.at(-1) as VelocityEvent).id;
      }
    },
  };
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
    a.body,
    a.evidence,
    monthOf(a.at),
    a.mode === 'live' ? 1 : 0,
    a.cap,
  ];
}
