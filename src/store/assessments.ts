/** Reads assessments, feedback and credits directly, as both databases store them; each writes them through its committer. */
import type { Label } from '../contract/dashboard-assessments.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { BROUGHT_FACT, NAMED_FACT } from '../model/velocity-facts.ts';
import { firstIdAt, monthOfId } from './request-time.ts';
import type { SqlDatabase } from './sql-database.ts';
import type { AssessmentStore } from './store.ts';
import type { StoredAssessment } from './stored-assessment.ts';
import { decodeText } from './text.ts';
import { WAS_BLOCKED } from './was-blocked.ts';

interface FeedbackText {
  readonly outcome: Label;
  readonly note: string | null;
  readonly key_id: string;
  readonly at: number;
}

const ATTEMPTS_PER_PAGE = 2_000;
/** An id is made at most this long before its assessment's `at` is read. */
const ID_LEAD_MS = 1_000;

const READ_FEEDBACK = {
  name: 'gatehouse_feedback',
  text: 'SELECT outcome, note, key_id, at FROM feedback WHERE request_id = $1',
};
const READ_CREDITS = {
  name: 'gatehouse_credits',
  text: 'SELECT used FROM credits WHERE account_id = $1 AND month = $2',
};
const FIND_CREDITS = 'SELECT 1 FROM credits WHERE month = $1 AND used > 0 LIMIT 1';
const READ_ATTEMPTS = `SELECT request_id AS id, account_id AS account, at, network, email_domain AS domain,
    address_hash AS "addressHash", mailbox_hash AS mailbox, ${WAS_BLOCKED} AS blocked,
    strpos(coalesce(facts, ''), '${NAMED_FACT}') > 0 AS named
  FROM assessments WHERE request_id > $1 AND at > $2 AND mode = 'live'
    AND strpos(coalesce(facts, ''), '${BROUGHT_FACT}') = 0`;

export function createAssessmentReads(
  { query }: Pick<SqlDatabase, 'query'>,
  readStored: (requestId: string) => Promise<StoredAssessment | undefined>,
): Omit<
  AssessmentStore,
  'record' | 'saveFeedback' | 'removeFeedback' | 'saveFirstFeedback' | 'saveFeedbackOnce'
> {
  async function* liveAttempts(since: number, accountId?: string) {
    const own = accountId === undefined ? [] : [accountId];
    const sql = `${READ_ATTEMPTS} ${accountId === undefined ? '' : 'AND account_id = $3'}
      ORDER BY request_id LIMIT ${ATTEMPTS_PER_PAGE}`;
    let after = firstIdAt(since - ID_LEAD_MS);
    for (;;) {
      const page = await query<VelocityEvent>(sql, [after, since, ...own]);
      yield page;
      if (page.length < ATTEMPTS_PER_PAGE) return;
      after = (page.at(-1) as VelocityEvent).id;
    }
  }

  return {
    liveAttempts,
    attemptsToCount: liveAttempts,
    async findStored(requestId, { accountId, mode }) {
      if (monthOfId(requestId) === undefined) return undefined;
      const stored = await readStored(requestId);
      if (stored === undefined || stored.accountId !== accountId) return undefined;
      return mode === 'test' && stored.mode !== 'test' ? undefined : stored;
    },
    async findFeedback(requestId) {
      if (monthOfId(requestId) === undefined) return undefined;
      const [row] = await query<FeedbackText>(READ_FEEDBACK, [requestId]);
      if (row === undefined) return undefined;
      const note = row.note === null ? null : decodeText(row.note);
      return { requestId, outcome: row.outcome, note, keyId: row.key_id, at: row.at };
    },
    async creditsUsed(accountId, month) {
      const [row] = await query<{ used: number }>(READ_CREDITS, [accountId, month]);
      return row?.used ?? 0;
    },
    async isMonthBegun(month) {
      return (await query(FIND_CREDITS, [month])).length > 0;
    },
  };
}
