/** Reads feedback with its assessments, and counts signups in shadow mode, in PostgreSQL. */
import {
  FEEDBACK,
  type FeedbackText,
  type HistoryMarks,
  type LabelRow,
  type ShadowRow,
  toStoredFeedback,
} from '../history-marks.ts';
import { AUTOMATIC_AUTHORS } from '../outcome-store.ts';
import type { Query } from './database.ts';
import { type HistoryRow, toFound } from './history-row.ts';
import { JOIN_ASSESSMENT } from './history-sources.ts';
import { createBind, FINDING, KEY_NAME } from './history-sql.ts';

const BY_PEOPLE = ` AND f.key_id NOT IN (${AUTOMATIC_AUTHORS.map((author) => `'${author}'`).join(', ')})`;

export function createMarks(query: Query): HistoryMarks {
  return {
    async mistakes(accountId, { mode, since, byPeople = false }, { at, requestId }, count) {
      const { bind, values } = createBind();
      // Feedback comes after its assessment: earlier feedback is about an older assessment.
      const rows = await query<HistoryRow & FeedbackText>(
        `SELECT a.*, ${KEY_NAME}, ${FEEDBACK} FROM feedback AS f ${JOIN_ASSESSMENT}
        WHERE f.account_id = ${bind(accountId)} AND (f.at, f.request_id) < (${bind(at)}, ${bind(requestId)})
          AND f.at >= ${bind(since)} AND f.assessed_at >= ${bind(since)} AND a.mode = ${bind(mode)}
          AND f.outcome <> 'confirmed_fraud'${byPeople ? BY_PEOPLE : ''}
        ORDER BY f.at DESC, f.request_id DESC LIMIT ${bind(count)}`,
        values,
      );
      return rows.map((row) => ({ assessment: toFound(row), feedback: toStoredFeedback(row) }));
    },
    labels: (accountId, { mode, from, to }, max) =>
      query<LabelRow>(
        `SELECT f.outcome, a.verdict, a.reasons, ${FINDING} AS finding, a.key_id, a.shadow, count(*) AS count FROM (
          SELECT request_id, seq, outcome FROM feedback
          WHERE account_id = $1 AND assessed_at >= $2 AND assessed_at < $3
          ORDER BY assessed_at DESC LIMIT ${max}
        ) AS f ${JOIN_ASSESSMENT}
        WHERE a.mode = $4 GROUP BY 1, 2, 3, 4, 5, 6`,
        [accountId, from, to, mode],
      ),
    // Reads an index that has assessments of shadow mode only.
    shadowed: (accountId, { from, to }, max) =>
      query<ShadowRow>(
        `SELECT mode, key_id, verdict, reasons, ${FINDING} AS finding, count(*) AS count, min(at) AS oldest FROM (
          SELECT mode, key_id, verdict, reasons, facts, at FROM assessments
          WHERE account_id = $1 AND shadow AND at >= $2 AND at < $3 ORDER BY at DESC, seq DESC LIMIT ${max}
        ) AS a GROUP BY 1, 2, 3, 4, 5`,
        [accountId, from, to],
      ),
  };
}
